import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { DEPENDS_ON, HELM_HOOK, HOOK, SYNC_WAVE } from '../../core/model/keys.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { MAX_DEPENDENCIES } from '../../core/model/limits.ts';
import {
  annotated,
  groupVersionKind,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
  titleOf,
} from '../../core/model/object.ts';
import { inOrder } from '../../core/model/order.ts';
import type { Order } from '../../core/model/render.ts';
import { get, ownValue } from '../../core/model/value.ts';
import { chooseWaves, type Group, type Line, Lines, objectsBefore, ownWave, type Step } from './lines.ts';

/** An object and its dependencies in the package, rendered or not. */
export interface Ordered {
  object: KubeObject;
  dependencies: readonly KubeObject[];
  reportOrder: OrderReporter;
}

/** Called with a problem of an object, and the other object if it is rendered. The path is in the object. */
export type OrderReporter = (object: Ordered, problem: Problem, other: Ordered | undefined) => void;

/** Computes waves; a later phase waits for an earlier one. A barrier is a separate step in every phase. */
function wavesOf(
  ordered: readonly Ordered[],
  lines: Lines,
  report: (index: number, problem: Problem, other: number) => void,
): number[] {
  const objects = indexed(ordered, lines);
  const all = [...objects.values()];
  const indexes = new Map([...objects.keys()].map((identity, index) => [identity, index]));
  const ranks = all.map((object) => PHASES.indexOf(phaseOf(object)));
  const phases = lines.all.length === 0 ? [] : [...new Set(ranks)].sort((a, b) => a - b);
  const lineAt = new Map(lines.all.map((line, at) => [line, all.length + at * phases.length]));

  const indexOf = (object: KubeObject): number | [] => indexes.get(identityOf(object)) ?? [];
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
    const late = [...before, ...earlier.flatMap((at) => phases.map((_, phase) => known.get(at + phase)))].find(
      (one) => one !== undefined && (ranks[one] as number) > rank,
    );
    if (late !== undefined && index < ordered.length) report(index, hookOrder(object, all[late] as KubeObject), late);
    const after = before.filter((one) => ranks[one] === rank && isPlaced(one));
    return { own: ownWave(object), after: [...after, ...earlier.map((at) => at + phases.indexOf(rank))] };
  });
  const { waves, conflicts } = chooseWaves([...steps, ...barriers]);
  for (const { step, least, because } of conflicts) {
    const other = all[because] as KubeObject;
    const message = phrase`wave ${{ value: steps[step]?.own ?? 0 }} is not after wave ${steps[because]?.own ?? 0} of ${{ object: titleOf(other) }}, which it depends on`;
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
const linesBefore = (object: KubeObject, dependencies: readonly KubeObject[], lines: Lines): Line[] =>
  [...dependencies.map((one) => lines.endOf(one)), lines.before(object)].filter((line) => line !== undefined);

/** Returns an object that is before one of the barriers. */
function firstBehind(barriers: readonly Step[], objects: number): ReadonlyMap<number, number> {
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
  return found;
}

function hookOrder(object: KubeObject, late: KubeObject): Problem {
  const own = phaseOf(object);
  const other = phaseOf(late);
  const when = other === 'none' ? 'which no sync applies' : `which is applied in phase ${other}`;
  return {
    code: 'hook-order',
    message: phrase`it runs in phase ${shown(own)} and depends on ${{ object: titleOf(late) }}, ${when}`,
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
  const phases = named.length > 0 ? named : itemsOf(helms).map((name) => ownValue(HELM_HOOKS, name) ?? 'none');
  if (phases.length === 1 && phases[0] === 'Skip') return 'none';
  return PHASES.find((phase) => phases.includes(phase)) ?? 'none';
}

const itemsOf = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [];

/**
 * Writes the order of the graph into annotations, unless the author did: for Argo CD waves, for kpt depends-on.
 * @param groups objects that represent others; they may be among `objects`, and are not changed
 */
export function annotateOrder<O extends Ordered>(
  objects: readonly O[],
  order: Order,
  groups: readonly Group[] = [],
): ReadonlyMap<O, KubeObject> {
  if (order === 'none') return new Map(objects.map((one) => [one, one.object]));
  const standing = new Map(objects.map((one) => [identityOf(one.object), one]));
  const lines = new Lines(groups, (object) => standing.get(identityOf(object))?.dependencies ?? []);
  const applied = objects.filter(({ object }) => lines.endOf(object) === undefined);
  reportCycles(applied, lines);
  const ordered = order === 'argocd' ? withWaves(applied, lines) : withDependencies(applied, lines);
  return new Map(objects.map((one) => [one, ordered.get(one) ?? one.object]));
}

function withWaves<O extends Ordered>(objects: readonly O[], lines: Lines): Map<O, KubeObject> {
  const waves = wavesOf(objects, lines, (index, problem, other) => {
    const object = objects[index] as O;
    object.reportOrder(object, problem, objects[other]);
  });
  return new Map(
    objects.map((one, index) => [
      one,
      ownWave(one.object) === undefined ? withOrder(one.object, SYNC_WAVE, String(waves[index])) : one.object,
    ]),
  );
}

function withDependencies<O extends Ordered>(objects: readonly O[], lines: Lines): Map<O, KubeObject> {
  const rendered = new Set(objects.map(({ object }) => identityOf(object)));
  const isApplied = (object: KubeObject): boolean => rendered.has(identityOf(object));
  const textOf = onceFor((line: Line) => {
    const before = objectsBefore(line, isApplied);
    return { text: before.map(reference).join(','), count: before.length };
  });
  let found = 0;
  const behind = (line: Line): string => {
    const { text, count } = textOf(line);
    const isNew = found <= MAX_DEPENDENCIES;
    found += count;
    if (found <= MAX_DEPENDENCIES) return text;
    if (isNew) line.group.report(TOO_MANY);
    return '';
  };
  const before = ({ object, dependencies }: O): string => {
    const plain = dependencies.filter((one) => lines.endOf(one) === undefined && isApplied(one)).map(reference);
    const groups = linesBefore(object, dependencies, lines);
    const all = [...plain, ...groups.map(behind)].filter((text) => text !== '').join(',');
    return groups.length === 0 ? all : [...new Set(all.split(','))].join(',');
  };
  return new Map(
    objects.map((one) => {
      const text = before(one);
      return [one, text === '' ? one.object : withOrder(one.object, DEPENDS_ON, text)];
    }),
  );
}

/** Keeps the annotation of the author. */
const withOrder = (object: KubeObject, key: string, value: string): KubeObject =>
  get(get(object.metadata, 'annotations'), key) === undefined ? annotated(object, { [key]: value }) : object;

const TOO_MANY: Problem = {
  code: 'budget-exceeded',
  message: phrase`with this one, there are more than ${{ limit: shown(MAX_DEPENDENCIES) }} dependencies between objects to write down`,
  path: ['spec'],
  hint: phrase`leave --order out, or make steps of fewer objects`,
};

/** `GROUP/namespaces/NAMESPACE/KIND/NAME`, or `GROUP/KIND/NAME` for cluster-scoped objects. */
function reference(object: KubeObject): string {
  const { group, kind } = groupVersionKind(object);
  const namespace = namespaceOf(object);
  return `${group}/${namespace === '' ? '' : `namespaces/${namespace}/`}${kind}/${nameOf(object)}`;
}

/** Reports groups that depend on themselves, each once, because no order is possible. */
function reportCycles(objects: readonly Ordered[], lines: Lines): void {
  if (lines.all.length === 0) return;
  const indexes = new Map<unknown, number>([
    ...objects.map(({ object }, index) => [identityOf(object), index] as const),
    ...lines.all.map((line, index) => [line, objects.length + index] as const),
  ]);
  const step = (before: readonly KubeObject[], ends: readonly Line[]): Pick<Step, 'after'> => ({
    after: [...before.map(identityOf), ...ends].flatMap((one) => indexes.get(one) ?? []),
  });
  const steps = [
    ...objects.map(({ object, dependencies }) => {
      const plain = dependencies.filter((one) => lines.endOf(one) === undefined);
      return step(plain, linesBefore(object, dependencies, lines));
    }),
    ...lines.all.map(({ objects: before, lines: ends, previous }) => step(before, [...ends, previous ?? []].flat())),
  ];
  const reported = new Set<Group>();
  inOrder(steps, (cycle) => {
    const groups = new Set(cycle.flatMap((index) => lines.all[index - objects.length]?.group ?? []));
    const [first] = groups;
    if (first === undefined || reported.has(first)) return;
    reported.add(first);
    const titles = [...groups].map(({ object }) => titleOf(object));
    const others = titles.slice(1).join(', ');
    const message =
      others === ''
        ? phrase`its objects depend on themselves`
        : phrase`it depends on itself, through ${{ cycle: others }}`;
    const hint = phrase`remove an entry of spec.dependsOn, or move objects to an earlier step`;
    first.report({ code: 'order-cycle', message, path: ['spec'], hint });
  });
}
