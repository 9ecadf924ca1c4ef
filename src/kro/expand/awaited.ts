import { type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { upToEach } from '../../core/model/path.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { isUnknown } from '../../kubernetes/front-end/index.ts';
import { type CelValue, createBudget, EvaluationError, isOptional, toJson } from '../../languages/cel/index.ts';
import { type EvaluationFailure, nodeSlot, readsOf } from '../compile/index.ts';
import type { AwaitedField } from './alternative.ts';
import { layOver } from './clean.ts';
import { evaluate } from './evaluate.ts';
import type { NodeRun } from './node-run.ts';
import type { InstanceRun } from './run.ts';
import { hasSecretIdentity } from './secrecy.ts';
import type { World } from './world.ts';

/** A pending field of a node for an expression. */
export interface Awaited extends AwaitedField {
  /** The displayed object: `Service default/web`. */
  title: string;
  field: string;
  /** The observed object that would supply the value, unless its name may be a value of a Secret. */
  supply: Value | undefined;
  /** The expression has a value if an empty status replaces a missing one: it has a fallback. */
  hasFallback: boolean;
}

/** Returns the field of a node that a failed expression missed, as far as it is known. */
export function findAwaited(failure: EvaluationFailure, at: NodeRun): Awaited | undefined {
  const found = missedField(failure, at);
  if (found === undefined) return undefined;
  const { run, world } = at;
  const { root, object, path } = found;
  const namespace = namespaceOf(object);
  const isHidden = hasSecretIdentity(run, run.graph.nodeById.get(root)?.index ?? -1, world);
  return {
    ...found,
    title: isHidden
      ? `the ${object.kind} of node '${root}'`
      : `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${nameOf(object)}`,
    field: path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./, ''),
    supply: isHidden ? undefined : skeleton(object, path),
    hasFallback: path[0] === 'status' && !Object.hasOwn(object, 'status') && hasFallback(failure, run, world),
  };
}

/** Reports whether the expression has a valid value if each object has a status, even an empty one. */
function hasFallback({ expression, expected, frame }: EvaluationFailure, run: InstanceRun, world: World): boolean {
  const withStatuses = (frame ?? run.frame).map((value) =>
    Array.isArray(value) ? (value.map((item) => withStatus(item as CelValue)) as CelValue) : withStatus(value),
  );
  const value = evaluate(expression, { frame: withStatuses, budget: createBudget(world.options) });
  if (value instanceof EvaluationError) return false;
  try {
    toJson(value, expected);
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const withStatus = (value: CelValue | undefined): CelValue | undefined =>
  isMap(value) && typeof value.kind === 'string' && !Object.hasOwn(value, 'status')
    ? ({ ...(value as ValueMap), status: {} } as CelValue)
    : value;

/** A field of the object of a node. */
interface ObjectField {
  root: string;
  object: KubeObject;
  path: Path;
}

/**
 * Returns the field that the evaluator missed, extended by the rest of the expression: `svc.status.ip` fails at
 * `status`, and a suggested object needs the `ip` in it. An error without a path is about a part of a computed value,
 * such as the first element of a filtered list: then it is the first unknown field that the expression reads.
 */
function missedField({ expression, error }: EvaluationFailure, { run, node }: NodeRun): ObjectField | undefined {
  const { variable, path: missed = [] } = error.read ?? {};
  const fields = [...readsOf(expression, node)]
    // Optional reads are pending only if no required one is.
    .sort((a, b) => Number(isOptional(a)) - Number(isOptional(b)) || a.offset - b.offset)
    .flatMap(({ root, path }): ObjectField[] => {
      const object = objectOf(root, run);
      return object === undefined ? [] : [{ root, object, path: upToEach(path) }];
    });
  const isMissed = ({ root, path }: ObjectField): boolean =>
    root === variable && missed.every((step, index) => step === path[index]);
  return fields.find(isMissed) ?? fields.find(({ object, path }) => isUnknown(object, path));
}

/** Returns the object of a node; a collection is a list. */
function objectOf(id: string, { graph, frame }: InstanceRun): KubeObject | undefined {
  const node = graph.nodeById.get(id);
  const seen = node && frame[nodeSlot(node.index)];
  return isMap(seen) ? (seen as KubeObject) : undefined;
}

/** Returns a list with this element, and with a few elements before it. */
const elementAt = (index: number, element: Value): Value[] =>
  index > 0 && index < 10 ? [...Array<Value>(index).fill('...'), element] : [element];

function skeleton(object: KubeObject, path: Path): Value {
  const metadata: ValueMap = { name: nameOf(object) };
  if (namespaceOf(object) !== '') metadata.namespace = namespaceOf(object);
  const value = path.reduceRight<Value>(
    (inner, step) => (typeof step === 'number' ? elementAt(step, inner) : { [step]: inner }),
    '...',
  );
  const { apiVersion, kind } = object;
  return layOver(isMap(value) ? value : {}, { apiVersion, kind, metadata });
}
