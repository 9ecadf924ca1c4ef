import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { DEPENDS_ON, SYNC_WAVE } from '../../core/model/keys.ts';
import { groupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Order } from '../../core/model/render.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import { reportCycles } from './cycles.ts';
import { type Group, type Line, Lines, objectsBefore } from './lines.ts';
import type { Ordered } from './ordered.ts';
import { wavesOf } from './wave-order.ts';
import { ownWave } from './waves.ts';

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
