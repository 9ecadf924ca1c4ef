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

/** A field of a node that an expression waits for. */
export interface Awaited extends AwaitedField {
  /** The object as people call it: `Service default/web`. */
  title: string;
  field: string;
  /** The observed object that would supply the value, unless its name may be a value of a Secret. */
  supply: Value | undefined;
  /** With an empty status in place of a missing one the expression yields a value: it has a fallback. */
  hasFallback: boolean;
}

/** The field of a node that a failed expression missed, as far as it is known. */
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

/** Whether the expression yields a value that fits its field once each object has a status, an empty one. */
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
 * What the evaluator missed, as far as the expression goes on from there: `svc.status.ip` fails at `status`, and an
 * object that is to help needs the `ip` in it.
 */
function missedRead({ expression, error }: EvaluationFailure, run: InstanceRun): StaticRead | undefined {
  const { variable, path = [] } = error.read ?? {};
  if (variable === undefined || objectOf(nodeNamed(variable, run), run) === undefined) return undefined;
  const goesOn = (read: StaticRead): boolean =>
    read.root === variable && path.every((step, index) => step === read.path[index]);
  return neededFirst(expression.paths).find(goesOn);
}

/**
 * The first field that the expression reads of a node and that is not there. For what the error cannot tell: a part of
 * a computed value is missing, such as the first element of a filtered list, because something that the value was
 * computed from is absent, which was read with `.?`, tested with `has()` or looked for in a loop.
 */
function absentRead({ expression }: EvaluationFailure, run: InstanceRun): StaticRead | undefined {
  return neededFirst(expression.paths).find(({ root, path }) => {
    const object = objectOf(nodeNamed(root, run), run);
    return object !== undefined && !isThere(object as CelValue, path);
  });
}

/** What may be absent is waited for only where nothing else is. */
const neededFirst = (reads: readonly StaticRead[]): StaticRead[] =>
  [...reads].sort((a, b) => Number(a.optional) - Number(b.optional));

const nodeNamed = (name: string, { graph }: InstanceRun): number => graph.nodes.findIndex(({ id }) => id === name);

/** The object that a node stands for; a collection stands for a list. */
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

/** A list that has this element, and others before it as long as that is a few. */
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
