import { type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { type CelValue, createBudget, EvaluationError, toJson } from '../../languages/cel/index.ts';
import { type CompiledExpression, type EvaluationFailure, nodeSlot } from '../compile/index.ts';
import type { AwaitedField } from './alternative.ts';
import { layOver } from './clean.ts';
import { evaluate } from './evaluate.ts';
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

/** Returns the field of the node that a failed expression missed, as far as it is known. */
export function findAwaited(failure: EvaluationFailure, run: InstanceRun, world: World): Awaited | undefined {
  const read = missedRead(failure, run) ?? absentRead(failure, run);
  const index = read === undefined ? -1 : nodeNamed(read.root, run);
  const object = objectOf(index, run);
  if (read === undefined || object === undefined) return undefined;
  const { root, path } = read;
  const namespace = namespaceOf(object);
  const isHidden = hasSecretIdentity(run, index, world);
  return {
    root,
    object,
    path,
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

type StaticRead = CompiledExpression['paths'][number];

/**
 * Returns what the evaluator missed, extended by the rest of the expression: `svc.status.ip` fails at `status`, and a
 * suggested object needs the `ip` in it.
 */
function missedRead({ expression, error }: EvaluationFailure, run: InstanceRun): StaticRead | undefined {
  const { variable, path = [] } = error.read ?? {};
  if (variable === undefined || objectOf(nodeNamed(variable, run), run) === undefined) return undefined;
  const extendsFailure = (read: StaticRead): boolean =>
    read.root === variable && path.every((step, index) => step === read.path[index]);
  return neededFirst(expression.paths).find(extendsFailure);
}

/**
 * Returns the first missing field that the expression reads of a node. For errors without a path: a part of a computed
 * value is missing, such as the first element of a filtered list, because an optional field (read with `.?`, tested
 * with `has()` or searched in a loop) is absent.
 */
function absentRead({ expression }: EvaluationFailure, run: InstanceRun): StaticRead | undefined {
  return neededFirst(expression.paths).find(({ root, path }) => {
    const object = objectOf(nodeNamed(root, run), run);
    return object !== undefined && !isThere(object as CelValue, path);
  });
}

/** Optional reads are pending only if no required one is. */
const neededFirst = (reads: readonly StaticRead[]): StaticRead[] =>
  [...reads].sort((a, b) => Number(a.optional) - Number(b.optional));

const nodeNamed = (name: string, { graph }: InstanceRun): number => graph.nodes.findIndex(({ id }) => id === name);

/** Returns the object of a node; a collection is a list. */
function objectOf(node: number, { frame }: InstanceRun): KubeObject | undefined {
  const seen = node < 0 ? undefined : frame[nodeSlot(node)];
  return isMap(seen) ? (seen as KubeObject) : undefined;
}

function isThere(value: CelValue, path: Path): boolean {
  let current: unknown = value;
  for (const step of path) {
    if (typeof step === 'number') current = Array.isArray(current) ? current[step] : undefined;
    else current = isMap(current) && Object.hasOwn(current, step) ? current[step] : undefined;
    if (current === undefined) return false;
  }
  return true;
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
