import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { DEPENDS_ON, SYNC_WAVE } from '../../core/model/keys.ts';
import {
  groupVersionKind,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
  titleOf,
} from '../../core/model/object.ts';
import type { Order } from '../../core/model/render.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import { type Group, type Line, Lines, objectsBefore } from './lines.ts';
import type { Ordered } from './ordered.ts';
import { wavesOf } from './wave-order.ts';
import type { Step } from './waves.ts';
import { inOrder, ownWave } from './waves.ts';

/**
 * Writes the order of the graph into annotations: for Argo CD waves, so that each object comes after its dependencies;
 * for kpt the direct dependencies as depends-on. Annotations of the author are kept. Returns each object with its
 * annotations.
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
      ownWave(one.object) === undefined ? annotated(one.object, SYNC_WAVE, String(waves[index])) : one.object,
    ]),
  );
}

/** Two steps of a thousand objects have a million dependencies. */
const MAX_DEPENDENCIES = 500_000;

function withDependencies<O extends Ordered>(objects: readonly O[], lines: Lines): Map<O, KubeObject> {
  const rendered = new Set(objects.map(({ object }) => identityOf(object)));
  const isApplied = (object: KubeObject): boolean => rendered.has(identityOf(object));
  const texts = new Map<Line, { text: string; count: number }>();
  const found = { count: 0 };
  const behind = (line: Line): string => {
    let known = texts.get(line);
    if (known === undefined) {
      const before = objectsBefore(line, isApplied);
      known = { text: before.map(reference).join(','), count: before.length };
      texts.set(line, known);
    }
    const isNew = found.count <= MAX_DEPENDENCIES;
    found.count += known.count;
    if (found.count <= MAX_DEPENDENCIES) return known.text;
    if (isNew) line.group.report(tooMany());
    return '';
  };
  const before = ({ object, dependencies }: O): string => {
    const plain = dependencies.filter((one) => lines.endOf(one) === undefined && isApplied(one)).map(reference);
    const own = lines.before(object);
    const groups = [...dependencies.flatMap((one) => lines.endOf(one) ?? []), ...(own === undefined ? [] : [own])];
    const all = [...plain, ...groups.map(behind)].filter((text) => text !== '').join(',');
    return groups.length === 0 ? all : [...new Set(all.split(','))].join(',');
  };
  return new Map(
    objects.map((one) => {
      const text = before(one);
      return [one, text === '' ? one.object : annotated(one.object, DEPENDS_ON, text)];
    }),
  );
}

const tooMany = (): Problem => ({
  code: 'budget-exceeded',
  message: phrase`with this one, there are more than ${shown(MAX_DEPENDENCIES)} dependencies between objects to write down`,
  path: ['spec'],
  hint: phrase`leave --order out, or make steps of fewer objects`,
});

function annotated(object: KubeObject, key: string, value: string): KubeObject {
  const metadata = object.metadata as ValueMap;
  const annotations = get(metadata, 'annotations');
  const own = isMap(annotations) ? annotations : {};
  return Object.hasOwn(own, key)
    ? object
    : { ...object, metadata: { ...metadata, annotations: { ...own, [key]: value } } };
}

/** `GROUP/namespaces/NAMESPACE/KIND/NAME`, or `GROUP/KIND/NAME` for cluster-scoped objects. */
function reference(object: KubeObject): string {
  const { group, kind } = groupVersionKind(object);
  const namespace = namespaceOf(object);
  return namespace === ''
    ? `${group}/${kind}/${nameOf(object)}`
    : `${group}/namespaces/${namespace}/${kind}/${nameOf(object)}`;
}

/** Reports groups that depend on themselves, each once, because no order is possible. */
function reportCycles(objects: readonly Ordered[], lines: Lines): void {
  if (lines.all.length === 0) return;
  const indexes = new Map(objects.map(({ object }, index) => [identityOf(object), index]));
  const lineAt = new Map(lines.all.map((line, index) => [line, objects.length + index]));
  const indexOf = (object: KubeObject): number[] => {
    const line = lines.endOf(object);
    const index = line === undefined ? indexes.get(identityOf(object)) : lineAt.get(line);
    return index === undefined ? [] : [index];
  };
  const step = (after: readonly number[]): Step => ({ own: undefined, after });
  const steps = [
    ...objects.map(({ object, dependencies }) => {
      const own = lines.before(object);
      return step([...dependencies.flatMap(indexOf), ...(own === undefined ? [] : [lineAt.get(own) as number])]);
    }),
    ...lines.all.map(({ objects: before, lines: ends, previous }) =>
      step([...before.flatMap(indexOf), ...[...ends, previous ?? []].flat().map((line) => lineAt.get(line) as number)]),
    ),
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
      others === '' ? phrase`its objects depend on themselves` : phrase`it depends on itself, through ${others}`;
    const hint = phrase`remove an entry of spec.dependsOn, or move objects to an earlier step`;
    first.report({ code: 'order-cycle', message, path: ['spec'], hint });
  });
}
