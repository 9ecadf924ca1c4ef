import { composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import { onceFor } from '../../core/model/lazily.ts';
import type { Location, Position } from '../../core/text/line-index.ts';
import { type CompiledExpression, type Graph, type GraphNode, statusExpressions } from '../../kro/compile/index.ts';
import type { InstanceRun } from '../../kro/expand/index.ts';
import type { CelType } from '../../languages/cel/index.ts';
import { locationOf } from '../../yaml/locate/index.ts';
import { addressableRun } from '../address/index.ts';
import { type Origin, originsOfReads } from './field.ts';
import { type ExplainedExpression, explainExpression, runAtItem, verdictOf } from './node.ts';
import type { Explainable } from './package.ts';

/** An expression of an RGD or a Graph; one of the status has no node. */
interface WrittenExpression {
  expression: CompiledExpression;
  node: GraphNode | undefined;
}

/** An expression as the run of one instance sees it. */
export interface ExpressionInRun extends WrittenExpression {
  run: InstanceRun;
}

export interface ExpressionAnswer {
  explained: ExplainedExpression;
  type: CelType;
  /** Its node is skipped in this instance, so that it has no value there. */
  skipped: boolean;
  /** It has a value for each item of a collection: this is the first. */
  isOfFirstItem: boolean;
  reads: readonly Origin[];
}

/** Returns the expression at a position of a file for each instance of its RGD whose name is no secret. */
export function expressionsAt(at: Location, pack: Explainable): ExpressionInRun[] {
  const foundIn = onceFor((graph: Graph) => expressionsOf(graph).find((one) => isAt(one, graph, at, pack)));
  return pack.runs.flatMap((run) => {
    if (addressableRun(run).hasSecretName === true || run.graph.input.source?.file !== at.file) return [];
    const found = foundIn(run.graph);
    return found === undefined ? [] : [{ ...found, run }];
  });
}

/** Returns the value of an expression part by part, its type, and the origins of what it reads. */
export function explainInRun({ expression, node, run }: ExpressionInRun, pack: Explainable): ExpressionAnswer {
  const isInTemplate = node?.expressions.includes(expression) === true;
  const skipped = isInTemplate && verdictOf(run, node.index) === 'skipped';
  const isOfItem = isInTemplate && expression.perItem;
  const seen = isOfItem ? (runAtItem({ run, node }, 0) ?? run) : run;
  return {
    explained: explainExpression(expression, fieldOf(expression, node), { run: seen, node }, pack),
    type: expression.type,
    skipped,
    isOfFirstItem: isOfItem,
    reads: originsOfReads(expression, { run: seen, node }, pack),
  };
}

function fieldOf({ path }: CompiledExpression, node: GraphNode | undefined): Text {
  if (node === undefined) return trusted.field(path.slice(2));
  return composeText`node ${trusted.definition(node.id)}, ${trusted.field(path.slice(node.path.length))}`;
}

function expressionsOf(graph: Graph): WrittenExpression[] {
  const inNodes = graph.nodes.flatMap((node) => {
    const iterators = node.forEach.map(({ expression }) => expression);
    return [...node.includeWhen, ...iterators, ...node.expressions].map((expression) => ({ expression, node }));
  });
  const inStatus = statusExpressions(graph).map(({ expression }) => ({ expression, node: undefined }));
  return [...inNodes, ...inStatus];
}

/**
 * Reports whether a position is in an expression, its `${` and `}` included. In a Secret it is in none: positions there
 * show no lengths.
 */
function isAt({ expression }: WrittenExpression, graph: Graph, at: Location, { locator }: Explainable): boolean {
  const { path, offset, source } = expression;
  const start = locationOf(locator, graph.input.source, path, offset);
  if (start === undefined || start.line > at.line) return false;
  const end = locationOf(locator, graph.input.source, path, offset + source.length);
  if (end === undefined) return false;
  const isAfterStart = !isBefore(at, { line: start.line, column: start.column - OPENING });
  return isAfterStart && !isBefore({ line: end.line, column: end.column + CLOSING }, at);
}

/** The lengths of `${` and of `}`. */
const OPENING = 2;
const CLOSING = 1;

const isBefore = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.column < b.column);
