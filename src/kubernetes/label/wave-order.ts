import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { HELM_HOOK, HOOK, SYNC_WAVE } from '../../core/model/keys.ts';
import { identityOf, type KubeObject, titleOf } from '../../core/model/object.ts';
import { get } from '../../core/model/value.ts';
import type { Line, Lines } from './lines.ts';
import type { Ordered } from './ordered.ts';
import { chooseWaves, inOrder, ownWave, type Step } from './waves.ts';

type ReportOrder = (index: number, problem: Problem, other: number) => void;

/**
 * Computes waves, which order the objects of one phase; a later phase always waits for an earlier one. Plain objects of
 * the package count with their own waves. A barrier is a separate step in every phase.
 */
export function wavesOf(ordered: readonly Ordered[], lines: Lines, report: ReportOrder): number[] {
  const objects = indexed(ordered, lines);
  const all = [...objects.values()];
  const indexes = new Map([...objects.keys()].map((identity, index) => [identity, index]));
  const ranks = all.map((object) => PHASES.indexOf(phaseOf(object)));
  const phases = lines.all.length === 0 ? [] : [...new Set(ranks)].sort((a, b) => a - b);
  const lineAt = new Map(lines.all.map((line, at) => [line, all.length + at * phases.length]));

  const indexOf = (object: KubeObject): readonly number[] => {
    const index = indexes.get(identityOf(object));
    return index === undefined ? [] : [index];
  };
  /** Returns the step of a barrier in one phase. */
  const stepAt = (line: Line, phase: number): Step => ({
    own: undefined,
    isBarrier: true,
    after: [
      ...line.objects.flatMap(indexOf).filter((one) => ranks[one] === phases[phase] && isPlaced(one)),
      ...[...line.lines, line.previous ?? []].flat().map((one) => (lineAt.get(one) as number) + phase),
    ],
  });
  const barriers = lines.all.flatMap((line) => phases.map((_, phase) => stepAt(line, phase)));
  const known = firstBehind(barriers, all.length);
  const steps = all.map((object, index): Step => {
    const { dependencies = [] } = ordered[index] ?? {};
    const before = dependencies.filter((one) => lines.endOf(one) === undefined).flatMap(indexOf);
    const earlier = linesBefore(object, dependencies, lines).map((line) => lineAt.get(line) as number);
    const rank = ranks[index] as number;
    const late = [...before, ...earlier.flatMap((at) => phases.map((_, phase) => known(at + phase)))].find(
      (one) => one !== undefined && (ranks[one] as number) > rank,
    );
    if (late !== undefined && index < ordered.length) report(index, hookOrder(object, all[late] as KubeObject), late);
    const after = before.filter((one) => ranks[one] === rank && isPlaced(one));
    return { own: ownWave(object), after: [...after, ...earlier.map((at) => at + phases.indexOf(rank))] };
  });
  const { waves, conflicts } = chooseWaves([...steps, ...barriers]);
  for (const { step, least, because } of conflicts) {
    const other = all[because] as KubeObject;
    const message = phrase`wave ${steps[step]?.own ?? 0} is not after wave ${steps[because]?.own ?? 0} of ${titleOf(other)}, which it depends on`;
    const hint = phrase`set ${least} or more, or leave the annotation out`;
    report(step, { code: 'wave-conflict', message, path: ['metadata', 'annotations', SYNC_WAVE], hint }, because);
  }
  return waves;

  /** A plain object without a wave has the default wave of Argo CD, and no requirements. */
  function isPlaced(index: number): boolean {
    return index < ordered.length || ownWave(all[index] as KubeObject) !== undefined;
  }
}

/** Indexes all objects by identity: ordered ones first, then their dependencies. */
function indexed(ordered: readonly Ordered[], lines: Lines): Map<string, KubeObject> {
  const all = new Map(ordered.map(({ object }) => [identityOf(object), object]));
  const others = [...ordered.flatMap(({ dependencies }) => dependencies), ...lines.all.flatMap((one) => one.objects)];
  for (const one of others) {
    const identity = identityOf(one);
    if (!all.has(identity) && lines.endOf(one) === undefined) all.set(identity, one);
  }
  return all;
}

/** Returns the barriers before an object: of the group that renders it, and of groups that it depends on. */
function linesBefore(object: KubeObject, dependencies: readonly KubeObject[], lines: Lines): Line[] {
  const own = lines.before(object);
  return [...(own === undefined ? [] : [own]), ...dependencies.flatMap((one) => lines.endOf(one) ?? [])];
}

/** Returns an object that is before one of the barriers. */
function firstBehind(barriers: readonly Step[], objects: number): (index: number) => number | undefined {
  const found = new Map<number, number>();
  const within = barriers.map(({ after, ...step }) => ({
    ...step,
    after: after.filter((one) => one >= objects).map((one) => one - objects),
  }));
  for (const at of inOrder(within)) {
    const { after } = barriers[at] as Step;
    const first = after.map((one) => (one < objects ? one : found.get(one))).find((one) => one !== undefined);
    if (first !== undefined) found.set(at + objects, first);
  }
  return (index) => found.get(index);
}

function hookOrder(object: KubeObject, late: KubeObject): Problem {
  const [own, other] = [phaseOf(object), phaseOf(late)];
  const when = other === 'none' ? 'which no sync applies' : `which is applied in phase ${other}`;
  return {
    code: 'hook-order',
    message: phrase`it runs in phase ${shown(own)} and depends on ${titleOf(late)}, ${when}`,
    path: ['metadata', 'annotations'],
    severity: 'warning',
    hint: phrase`at the first sync it runs before that object exists; make that object a hook of an earlier phase, or use waves`,
  };
}

/** The phases of a sync, in the order of Argo CD; `none` is for what no sync applies. */
const PHASES = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'none'] as const;
type Phase = (typeof PHASES)[number];

const HELM_HOOKS: Readonly<Record<string, Phase>> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
};

/**
 * Returns the first phase that applies an object (gitops-engine: sync/hook/hook.go, sync/sync_phase.go). Hooks of Helm
 * count if an object has none of Argo CD's. Hooks that run when an Application is deleted belong to no phase.
 */
export function phaseOf(object: KubeObject): Phase {
  const annotations = get(object.metadata, 'annotations');
  const ours = get(annotations ?? null, HOOK);
  const helms = get(annotations ?? null, HELM_HOOK);
  const isHook = ours !== undefined || (helms !== undefined && helms !== 'crd-install');
  if (!isHook) return 'Sync';
  const named = itemsOf(ours).filter((name) => name === 'Skip' || (PHASES as readonly string[]).includes(name));
  const phases = named.length > 0 ? named : itemsOf(helms).map((name) => HELM_HOOKS[name] ?? 'none');
  if (phases.length === 1 && phases[0] === 'Skip') return 'none';
  return PHASES.find((phase) => phases.includes(phase)) ?? 'none';
}

const itemsOf = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [];
