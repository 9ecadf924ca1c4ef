import type { Problem } from '../diagnostics/index.ts';
import { groupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../model/object.ts';
import { SYNC_WAVE } from '../model/order-annotations.ts';
import type { Order } from '../model/render.ts';
import { get, isMap, type ValueMap } from '../model/value.ts';
import { PHASES, phaseOf } from './phases.ts';
import { chooseWaves, ownWave } from './waves.ts';

const DEPENDS_ON = 'config.kubernetes.io/depends-on';

/** An object and the objects of the package that it must come after, rendered or not. */
export interface Ordered {
  object: KubeObject;
  dependencies: readonly KubeObject[];
  /** Told what is wrong with the order of the object. */
  tellOrder: OrderReporter<this>;
}

/**
 * Told what is wrong with the order of an object, and beside which other one: `undefined` for a plain object of the
 * package. The path starts at the object; the words quote the name of the other one and the annotations of both.
 */
export type OrderReporter<O> = (object: O, problem: Problem, other: O | undefined) => void;

/**
 * Writes the order of the graph into annotations: for Argo CD waves, so that each object comes behind what it depends
 * on; for kpt the direct dependencies as depends-on. An annotation that the author set stays. Yields each object as it
 * is then.
 */
export function annotateOrder<O extends Ordered>(objects: readonly O[], order: Order): ReadonlyMap<O, KubeObject> {
  if (order === 'argocd') {
    const waves = wavesOf(objects, (index, problem, other) => {
      const object = objects[index] as O;
      object.tellOrder(object, problem, objects[other]);
    });
    return new Map(
      objects.map((one, index) => [
        one,
        ownWave(one.object) === undefined ? annotated(one.object, SYNC_WAVE, String(waves[index])) : one.object,
      ]),
    );
  }
  if (order === 'none') return new Map(objects.map((one) => [one, one.object]));
  const rendered = new Set(objects.map(({ object }) => identityOf(object)));
  return new Map(
    objects.map((one) => {
      const before = one.dependencies.filter((other) => rendered.has(identityOf(other)));
      const { object } = one;
      return [one, before.length === 0 ? object : annotated(object, DEPENDS_ON, before.map(reference).join(','))];
    }),
  );
}

/**
 * Waves order the objects of one phase; a later phase waits for all of an earlier one anyway. Plain objects of the
 * package count with the waves that they have.
 */
function wavesOf(
  ordered: readonly Ordered[],
  report: (index: number, problem: Problem, other: number) => void,
): number[] {
  const all = new Map(ordered.map(({ object }) => [identityOf(object), object]));
  for (const { dependencies } of ordered)
    for (const one of dependencies) if (!all.has(identityOf(one))) all.set(identityOf(one), one);
  const indexes = new Map([...all.keys()].map((identity, index) => [identity, index]));
  const objects = [...all.values()];
  const ranks = objects.map((object) => PHASES.indexOf(phaseOf(object)));
  const steps = objects.map((object, index) => {
    const dependencies = ordered[index]?.dependencies ?? [];
    const before = dependencies.flatMap((one) => indexes.get(identityOf(one)) ?? []);
    const late = before.find((one) => (ranks[one] as number) > (ranks[index] as number));
    if (late !== undefined) report(index, hookOrder(object, objects[late] as KubeObject), late);
    const own = ownWave(object);
    return { own, after: before.filter((one) => ranks[one] === ranks[index] && isPlaced(one)) };
  });
  const { waves, conflicts } = chooseWaves(steps);
  for (const { step, least, because } of conflicts) {
    const other = objects[because] as KubeObject;
    const message = `wave ${steps[step]?.own} is not behind wave ${steps[because]?.own} of ${titleOf(other)}, which it depends on`;
    const hint = `set ${least} or more, or leave the annotation out`;
    report(step, { code: 'wave-conflict', message, path: ['metadata', 'annotations', SYNC_WAVE], hint }, because);
  }
  return waves;

  /** A plain object without a wave is where Argo CD puts it, and asks for nothing. */
  function isPlaced(index: number): boolean {
    return index < ordered.length || ownWave(objects[index] as KubeObject) !== undefined;
  }
}

function hookOrder(object: KubeObject, late: KubeObject): Problem {
  const [own, other] = [phaseOf(object), phaseOf(late)];
  const when = other === 'none' ? 'which no sync applies' : `which is applied in phase ${other}`;
  return {
    code: 'hook-order',
    message: `it runs in phase ${own} and depends on ${titleOf(late)}, ${when}`,
    path: ['metadata', 'annotations'],
    severity: 'warning',
    hint: 'at the first sync it runs before that is there; make that a hook of an earlier phase too, or use waves',
  };
}

const titleOf = (object: KubeObject): string => `${groupVersionKind(object).kind}/${nameOf(object)}`;

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
