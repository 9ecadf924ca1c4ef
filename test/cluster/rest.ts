/** What is to be seen of a case at a moment. */
export interface Sight {
  /** Changes whenever kro got any further. */
  gist: string;
  /** `final`: nothing changes that any more. `expected`: as it should stay. `refused`: unlike here. */
  state: 'final' | 'expected' | 'refused' | 'open';
  /** How many objects kro comes back to; it has done with the others. */
  objects: number;
}

export interface Watched {
  /** What the names of its RGDs and groups start with. */
  label: string;
  look(): Promise<Sight>;
  /** Told once: kro is at rest with it, or (with a reason) nobody knows whether it ever would have been. */
  ended(reason?: string): void;
}

/** So often kro has to have come back to everything of a case without any change, where that is expected or not. */
const TURNS = { final: 0, expected: 4, refused: 8, open: 30 };
/** So often a case that kro has done with has to be looked at without any change. */
const LOOKS = 15;
/** How long a case may stay as it is while kro does not come back to it, in milliseconds. */
const LONGEST = 600_000;
const POLL = 2_000;

/**
 * Looks at cases until kro is at rest with each of them. What is expected to wait, or to be refused, is at rest when kro
 * itself has come back to it several times (`turns`: how often it worked on a case), so that a machine that is busy
 * makes this slow and not wrong.
 */
export async function untilAtRest(
  cases: readonly Watched[],
  turns: () => Promise<ReadonlyMap<string, number>>,
  { poll = POLL, longest = LONGEST, now = Date.now }: { poll?: number; longest?: number; now?: () => number } = {},
): Promise<void> {
  const seen = new Map<Watched, { gist: string; turns: number; looks: number; since: number }>();
  let open = [...cases];
  for (;;) {
    const taken = await turns();
    const left: Watched[] = [];
    for (const one of open) {
      const { gist, state, objects } = await one.look();
      const count = taken.get(one.label) ?? 0;
      let before = seen.get(one);
      if (before === undefined || before.gist !== gist) {
        before = { gist, turns: count, looks: 0, since: now() };
        seen.set(one, before);
      }
      before.looks += 1;
      const isAtRest = objects === 0 ? before.looks >= LOOKS : count - before.turns >= TURNS[state] * objects;
      const isLate = now() - before.since >= longest;
      if (state === 'final' || isAtRest) one.ended();
      else if (!isLate) left.push(one);
      // What was expected has been so for long enough.
      else one.ended(state === 'expected' ? undefined : `kro did not come back to it: ${gist}`);
    }
    if (left.length < open.length) {
      const which = left.length > 5 ? '' : left.map(({ label }) => ` ${label}`).join('');
      console.error(`${left.length} of ${cases.length} are left${which}`);
    }
    open = left;
    if (open.length === 0) return;
    await new Promise((done) => setTimeout(done, poll));
  }
}
