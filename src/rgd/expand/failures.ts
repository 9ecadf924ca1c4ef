import { type CelValue, type EvaluationError, isExhausted, nodeOf, offsetOf, qualifiedName } from '../../cel/index.ts';
import type { Problem, Severity } from '../../diagnostics/index.ts';
import { toJsonText } from '../../emit/index.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../model/object.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../model/value.ts';
import { type CompiledExpression, type EvaluationFailure, nodeSlot } from '../compile/index.ts';
import { type AwaitedField, referenceInstead } from './alternative.ts';
import { layOver } from './clean.ts';
import { reasonOf, shownSource } from './reason.ts';
import { reportNode, reportWait } from './report.ts';
import type { InstanceRun } from './run.ts';
import { hasSecretIdentity } from './secrecy.ts';
import type { World } from './world.ts';

/** Waiting could help: something is missing that is not the instance's own. */
export const isPending = ({ expression, error }: EvaluationFailure): boolean =>
  error.kind === 'missing' && expression.nodes.length > 0;

/**
 * Reports failed expressions of one node and says what becomes of it: `pending` when all of them only wait. A value
 * that the instance itself lacks, and any other failure, is an error of this instance.
 */
export function settleFailures(
  failures: readonly EvaluationFailure[],
  run: InstanceRun,
  node: number,
  world: World,
): 'pending' | 'failed' {
  const fatal = failures.filter((failure) => !isPending(failure));
  for (const failure of fatal) {
    if (!repeatsBudget(failure, run, world))
      reportNode(run, node, world, fatalProblem(failure, run, node, world), 'nothing');
  }
  if (fatal.length > 0) return 'failed';
  for (const failure of failures) reportPending(failure, run, node, world, waitingSeverity(world));
  return 'pending';
}

/** Once the budget of an instance is used up every expression fails: only the one that did it is told. */
function repeatsBudget({ error }: EvaluationFailure, run: InstanceRun, world: World): boolean {
  if (error.kind !== 'budget' || !isExhausted(run.budget)) return false;
  const repeats = world.exhausted.has(run.budget);
  world.exhausted.add(run.budget);
  return repeats;
}

/** A node that waits is left out or passed through where that was asked for; a placeholder stands in for texts only. */
export const waitingSeverity = ({ options }: World): 'error' | 'warning' =>
  options.onPending === 'fail' || options.onPending === 'placeholder' ? 'error' : 'warning';

function fatalProblem(failure: EvaluationFailure, run: InstanceRun, node: number, world: World): Problem {
  const { expression, error } = failure;
  const source = shownSource(expression, run.graph);
  const reason = reasonOf(failure, run, node, world);
  const at = placeOf(expression, error);
  if (error.kind === 'budget') {
    const hint = 'make the lists that it goes through shorter, or raise --max-steps or --max-size';
    return { ...at, code: 'budget-exceeded', message: `${source}: ${reason}`, hint };
  }
  if (error.kind === 'missing') {
    const message = `${source}: ${reason}; the instance has no such value, so waiting would not help`;
    return { ...at, code: 'missing-in-instance', message, hint: missingHint(failure, run) };
  }
  return { ...at, code: 'evaluation', message: `${source}: ${reason}` };
}

/** The part of the expression that failed, in the RGD. */
function placeOf(expression: CompiledExpression, error: EvaluationError): { path: Path; offset: number } {
  const inside = offsetOf(expression.parsed, error.nodeId) ?? 0;
  return { path: expression.path, offset: expression.offset + inside };
}

function missingHint({ expression, error }: EvaluationFailure, run: InstanceRun): string {
  const failed = nodeOf(expression.parsed, error.nodeId);
  const isOwnNamespace = failed !== undefined && qualifiedName(failed) === 'schema.metadata.namespace';
  if (isOwnNamespace && run.namespace === '') {
    return 'give the instance a metadata.namespace, or use --namespace';
  }
  return 'give the value in the instance, declare a default, or guard the read with has(...) or .?field.orValue(...)';
}

/** Says what a pending node waits for, and which observed object would supply it. */
export function reportPending(
  failure: EvaluationFailure,
  run: InstanceRun,
  node: number,
  world: World,
  severity: Severity,
): void {
  const { expression, error } = failure;
  const awaited = findAwaited(failure, run, world);
  const where = awaited === undefined ? '' : ` (waits for ${awaited.field} of ${awaited.title})`;
  const fallback = awaited?.hasFallback === true ? `${FALLBACK}, or ` : '';
  const problem: Problem = {
    code: 'pending-value',
    message: `${shownSource(expression, run.graph)}: ${reasonOf(failure, run, node, world)}${where}`,
    ...placeOf(expression, error),
    severity,
    hint: fallback + (awaited === undefined ? OBSERVE : hintFor(awaited, expression, run, node)),
  };
  reportWait(run, node, world, problem);
}

/** Where the kind can take a reference in place of the value, that is the better way. */
function hintFor(awaited: Awaited, expression: CompiledExpression, run: InstanceRun, index: number): string {
  const supply = awaited.supply === undefined ? OBSERVE : `${OBSERVE}: ${toJsonText(awaited.supply)}`;
  const node = run.graph.nodes[index];
  const instead = node && referenceInstead(expression, node, awaited, run.graph);
  return instead === undefined ? supply : `${supply}\nor do not wait: set ${instead.field}: ${instead.value} instead`;
}

const OBSERVE = 'supply it with --observed';
const FALLBACK = 'render the fallback with --assume-empty-status';

interface Awaited extends AwaitedField {
  /** The object as people call it: `Service default/web`. */
  title: string;
  field: string;
  /** The observed object that would supply the value, unless its name may be a value of a Secret. */
  supply: Value | undefined;
  /** Only the status as a whole is missing: for what is in it the expression has a fallback. */
  hasFallback: boolean;
}

/** The first field that the expression reads of a node and that is not there. */
function findAwaited({ expression }: EvaluationFailure, run: InstanceRun, world: World): Awaited | undefined {
  // What may be absent is waited for only where nothing else is.
  const inOrder = [...expression.paths].sort((a, b) => Number(a.optional) - Number(b.optional));
  for (const { root, path, optional } of inOrder) {
    const index = run.graph.nodes.findIndex(({ id }) => id === root);
    const seen = run.frame[nodeSlot(index)];
    if (index < 0 || !isMap(seen)) continue;
    if (isThere(seen, path)) continue;
    const object = seen as KubeObject;
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
      hasFallback: optional && path[0] === 'status' && !Object.hasOwn(seen, 'status'),
    };
  }
  return undefined;
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
