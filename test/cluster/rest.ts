/** The state of a case at a moment. */
export interface Sight {
  /** Changes whenever kro makes progress. */
  gist: string;
  /** `final`: nothing changes any more. `expected`: the expected result. `refused`: rejected, unlike here. */
  state: 'final' | 'expected' | 'refused' | 'open';
  /** The number of objects that kro still reconciles. */
  objects: number;
}

export interface Watched {
  /** The prefix of the names of its RGDs and groups. */
  label: string;
  look(): Promise<Sight>;
  /** Called once: kro is idle, or (with a reason) this is unknown. */
  ended(reason?: string): void;
}

/** How often kro must have reconciled all objects of a case without a change, by state. */
const TURNS = { final: 0, expected: 4, refused: 8, open: 30 };
/** How often a case that kro has finished must be read without a change. */
const LOOKS = 15;
/** How long a case may stay unchanged while kro does not reconcile it, in milliseconds. */
const LONGEST = 600_000;
const POLL = 2_000;

/**
 * Reads cases until kro has finished each of them. A case that is expected to stay pending or rejected is finished
 * after several reconciliations (`turns`), not after a time, so that a busy machine makes this slow and not wrong.
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
      // The expected state has lasted long enough.
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
