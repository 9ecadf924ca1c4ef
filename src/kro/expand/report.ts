import {
  type Message,
  type Problem,
  phrase,
  type Report,
  redact,
  shown,
  type Text,
  toReport,
} from '../../core/diagnostics/index.ts';
import { getAt, type Path } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import type { CompiledExpression } from '../compile/index.ts';
import type { NodeRun } from './node-run.ts';
import { shownSource } from './reason.ts';
import { type InstanceRun, withNested } from './run.ts';
import { handlesSecret, nodeHandlesSecret, secrecyOf, titleOfRun } from './secrecy.ts';
import type { World } from './world.ts';

/** The source of the values that a problem of a node quotes: one of its expressions, or a field of its object. */
export type Quoted = { expression: CompiledExpression } | { field: Path };

/** Reports a problem of an instance: `problem.path` is a path in the instance. Quoted values are hidden. */
export function reportAbout(run: InstanceRun, world: World, problem: Problem): void {
  // A nested instance has no file; its outermost instance has one, but the paths differ.
  const source = run.parent === undefined ? run.input.source : undefined;
  world.reports.add({ ...toReport(redact(problem)), object: titleOfRun(run, world), source });
}

/**
 * Reports a problem of a node of an instance: `problem.path` is a path in the RGD. Possible values of a Secret are
 * hidden; without `quoted` they may come from anything that the node reads. `object` names another object than the
 * instance.
 */
export function reportNode(at: NodeRun, problem: Problem, quoted?: Quoted, object?: Text): Report {
  const { run, node, world } = at;
  const isSecret = quotesSecret(problem, at, quoted);
  const shown = isSecret ? redact(problem, writtenPath(problem.path, run)) : problem;
  const { source } = run.graph.input;
  const report: Report = { ...toReport(shown), object: object ?? titleOfRun(run, world), node: node.id, source };
  world.reports.add(report);
  return report;
}

/** Reports that the value of an expression has another type than `what` requires. */
export function reportWrongType(expression: CompiledExpression, what: Message, at: NodeRun): 'failed' {
  const message = phrase`${what}, ${shownSource(expression, at.run.graph)} did not`;
  const { path, offset } = expression;
  reportNode(at, { code: 'evaluation', message, path, offset });
  return 'failed';
}

/** Reports a pending node; `object` is the identity that a reference did not find. */
export function recordPending(at: NodeRun, problem: Problem, object?: string): void {
  const { run, node, world } = at;
  world.pending.push({ report: reportNode(at, problem), run, node: node.index, object });
}

/** Reports whether a quote may be a value of a Secret. */
function quotesSecret({ message, hint }: Problem, at: NodeRun, quoted: Quoted | undefined): boolean {
  if (quoted === undefined) {
    return (message.hasQuotes || hint?.hasQuotes === true) && nodeHandlesSecret(at);
  }
  if ('expression' in quoted) return handlesSecret(quoted.expression, at);
  return isSecret(secrecyOf(at.run, at.node.index, at.world), quoted.field);
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

/**
 * Warns of instances that render nothing although a node without a condition should be rendered: it reads a node that
 * is omitted.
 */
export function reportNothingRendered(runs: readonly InstanceRun[], world: World): void {
  for (const run of runs.flatMap(withNested)) {
    const { nodes } = run.graph;
    const made = nodes.filter(({ kind }) => kind === 'resource' || kind === 'collection');
    if (made.some(({ index }) => run.states[index] !== 'skipped')) continue;
    const reader = made.find(({ includeWhen }) => includeWhen.length === 0);
    const cause = reader?.dependencies.find((index) => run.states[index] === 'skipped');
    if (reader === undefined || cause === undefined) continue;
    const [id, causeId] = [shown(reader.id), shown(nodes[cause]?.id ?? '')];
    const message = phrase`renders nothing: '${causeId}' is omitted, and '${id}' reads it, so that it is omitted too`;
    const hint = phrase`let '${id}' read schema and not '${causeId}', or write two nodes with opposite includeWhen`;
    reportAbout(run, world, { code: 'nothing-rendered', message, path: [], severity: 'warning', hint });
  }
}
