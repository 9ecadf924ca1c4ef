import {
  type Message,
  type Problem,
  phrase,
  type Report,
  redact,
  shown,
  type Text,
  toReport,
  trusted,
  UNSAID,
} from '../../core/diagnostics/index.ts';
import { namespaceOf } from '../../core/model/object.ts';
import { getAt, type Path } from '../../core/model/value.ts';
import { isSecret, stepsToSecret } from '../../core/redaction/index.ts';
import { type EvaluationError, hasNoLiterals, nodeOf } from '../../languages/cel/index.ts';
import type { CompiledExpression, EvaluationFailure, Graph } from '../compile/index.ts';
import { type InstanceRun, type NodeRun, withNested } from './run.ts';
import { handlesSecret, isSecretlyNamed, nodeHandlesSecret, secrecyOf, titleOfRun } from './secrecy.ts';

/** The source of the values that a problem of a node quotes: one of its expressions, or a field of its object. */
export type Quoted = { expression: CompiledExpression } | { field: Path };

/** Reports a problem of an instance: `problem.path` is a path in the instance. Quoted values are hidden. */
export function reportAbout(run: InstanceRun, problem: Problem): void {
  // A nested instance has no file; its outermost instance has one, but the paths differ.
  const place = run.parent === undefined ? { source: run.input.source } : { instance: run.input.source };
  run.world.reports.add({ ...toReport(redact(problem)), ...subjectOf(run), ...place });
}

/** Returns the report of a problem of a node of an instance: `problem.path` is a path in the RGD. */
export function nodeReport(at: NodeRun, problem: Problem, quoted?: Quoted, object?: Text): Report {
  const { run, node } = at;
  const isSecret = quotesSecret(problem, at, quoted);
  const shown = isSecret ? redact(problem, writtenPath(problem.path, run)) : problem;
  const { source } = run.graph.input;
  const subject = object === undefined ? subjectOf(run) : { object };
  return { ...toReport(shown), ...subject, node: node.id, source, instance: run.input.source };
}

/** Returns the instance that a report is about. */
function subjectOf(run: InstanceRun): Pick<Report, 'object' | 'namespace'> {
  const object = titleOfRun(run);
  const namespace = isSecretlyNamed(run) ? '' : namespaceOf(run.instance);
  return namespace === '' ? { object } : { object, namespace: trusted.definition(namespace) };
}

export function reportNode(at: NodeRun, problem: Problem, quoted?: Quoted, object?: Text): Report {
  const report = nodeReport(at, problem, quoted, object);
  at.run.world.reports.add(report);
  return report;
}

export function reportWrongType(expression: CompiledExpression, what: Message, at: NodeRun): 'failed' {
  const message = phrase`${what}, ${shownSource(expression, at.run.graph)} did not`;
  const { path, offset } = expression;
  reportNode(at, { code: 'evaluation', message, path, offset });
  return 'failed';
}

/** Reports a pending node; `object` is the identity that a reference did not find. */
export function recordPending(at: NodeRun, problem: Problem, object?: string): void {
  at.run.world.pending.push({ report: reportNode(at, problem), ...at, object });
}

const quotesValue = ({ message, hint, args = {} }: Problem): boolean =>
  message.hasQuotes || hint?.hasQuotes === true || Object.values(args).some((one) => one.hasQuotes);

function quotesSecret(problem: Problem, at: NodeRun, quoted: Quoted | undefined): boolean {
  if (quoted === undefined) return quotesValue(problem) && nodeHandlesSecret(at);
  if ('expression' in quoted) return handlesSecret(quoted.expression, at);
  return isSecret(secrecyOf(at), quoted.field);
}

/** Returns the part of a path that exists in the RGD: further keys come from expressions. */
function writtenPath(path: Path, { graph }: InstanceRun): Path {
  const end = path.findIndex((_, index) => getAt(graph.input.object, path.slice(0, index + 1)) === undefined);
  return end < 0 ? path : path.slice(0, end);
}

export function skip(at: NodeRun, reason: Message): 'skipped' {
  const { path } = at.node;
  const message = phrase`omitted: ${reason}`;
  reportNode(at, { code: 'node-skipped', message, path, severity: 'info' });
  return 'skipped';
}

/** Warns of an instance that renders nothing because a node without a condition reads a node that is omitted. */
export function reportNothingRendered(runs: readonly InstanceRun[]): void {
  for (const run of runs.flatMap(withNested)) {
    const { nodes } = run.graph;
    const made = nodes.filter(({ kind }) => kind === 'resource' || kind === 'collection');
    if (made.some(({ index }) => run.states[index] !== 'skipped')) continue;
    const reader = made.find(({ includeWhen }) => includeWhen.length === 0);
    const cause = reader?.dependencies.find((index) => run.states[index] === 'skipped');
    if (reader === undefined || cause === undefined) continue;
    const id = shown(reader.id);
    const causeId = shown(nodes[cause]?.id ?? '');
    const message = phrase`renders nothing: '${{ cause: causeId }}' is omitted, and '${{ node: id }}' reads it, so that it is omitted too`;
    const hint = phrase`let '${id}' read schema and not '${causeId}', or write two nodes with opposite includeWhen`;
    reportAbout(run, { code: 'nothing-rendered', message, path: [], severity: 'warning', hint });
  }
}

export function reasonOf({ expression, error }: Pick<EvaluationFailure, 'expression' | 'error'>, at: NodeRun): Message {
  return shownReason(expression, error, at.run.graph, handlesSecret(expression, at));
}

/** Returns why an expression failed, with fixed words and the text of the expression if it reads a Secret. */
export const shownReason = (
  expression: CompiledExpression,
  error: EvaluationError,
  graph: Graph,
  isSecret: boolean,
): Message => shown(isSecret ? fixedReason(expression, error, graph) : error.message);

function fixedReason(expression: CompiledExpression, error: EvaluationError, graph: Graph): string {
  const { reason } = error;
  if (reason.kind === 'budget' || (reason.kind === 'failure' && reason.isFixed)) return error.message;
  if (reason.kind === 'missing') {
    return isSpelledOut(error) && mayBeShown(expression, graph) ? error.message : 'something is missing';
  }
  const failed = nodeOf(expression.parsed, error.nodeId);
  const name = failed?.kind === 'call' && /^\w+$/.test(failed.name) ? `${failed.name}()` : 'it';
  return `${name} failed (${UNSAID})`;
}

/** Reports whether the missing part is a name or a key of the expression, and so not a value. */
const isSpelledOut = ({ reason, read }: EvaluationError): boolean =>
  read !== undefined && (read.path.length > 0 || (reason.kind === 'missing' && reason.what === 'variable'));

/** Returns a quoted expression, or nothing if it may contain a value of a Secret. */
export const shownSource = (expression: CompiledExpression, graph: Graph): Message =>
  mayBeShown(expression, graph) ? phrase`'${{ expression: shown(expression.source.trim()) }}'` : phrase`an expression`;

/** Reports whether the text of an expression is public: it is not in a Secret, or has no literals. */
export const mayBeShown = ({ path, parsed }: CompiledExpression, { input }: Graph): boolean =>
  stepsToSecret(input.object, path) === undefined || hasNoLiterals(parsed.root);
