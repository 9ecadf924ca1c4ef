import { type Collector, phrase, quote, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { allowance } from '../../core/model/limits.ts';
import { formatPath, getAt, isMap, type Value } from '../../core/model/value.ts';
import { type Graph, type GraphNode, isExpression, partsOf as partsOfText } from '../../kro/compile/index.ts';
import type { InstanceRun } from '../../kro/expand/index.ts';
import { builtinKinds, memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { compileCheck, createPatternBudget, startVisit, type Visit } from '../../kubernetes/validation/index.ts';

/** The maximum number of errors of one template. */
const MAX_FAULTS = 20;

/**
 * Reports the literals of templates that an API server rejects, whatever the expressions around them are. Of a node that
 * an instance renders the objects are validated, which says more.
 */
export function checkLiterals(graphs: Iterable<Graph>, runs: readonly InstanceRun[], reports: Collector): void {
  const rendered = new Set<GraphNode>();
  for (const { graph, rendered: items } of runs) {
    for (const [index, made] of items.entries()) if (made.length > 0) rendered.add(graph.nodes[index] as GraphNode);
  }
  const patterns = createPatternBudget();
  for (const graph of graphs) {
    for (const node of graph.nodes) {
      if (!rendered.has(node)) checkTemplate(graph, node, patterns, reports);
    }
  }
}

function checkTemplate(
  graph: Graph,
  node: GraphNode,
  patterns: NonNullable<Visit['patterns']>,
  reports: Collector,
): void {
  if (node.schema === undefined || node.contentKey !== 'template') return;
  const { report } = reporterFor(graph.input, reports);
  const path = [...node.path, node.contentKey];
  const visit: Visit = {
    ...startVisit([], allowance(Number.POSITIVE_INFINITY)),
    of: 'rendered',
    most: MAX_FAULTS,
    hints: false,
    patterns,
  };
  const dialect = builtinKinds.find(node.gvk) === undefined ? 'custom' : 'typed';
  checkLiteralsIn(getAt(graph.input.object, path), node.schema, dialect, visit);
  for (const { code, message, path: inside } of visit.problems) {
    if (code !== 'rendered-value') continue;
    const field = quote(`${formatPath(inside)}: `, '');
    const text = phrase`the API server rejects this ${{ kind: shown(node.gvk.kind) }}: ${{ field }}${message}`;
    report({ code, message: text, path: [...path, ...inside] }, node.id);
  }
}

/** Checks what a template writes out against the schemas of its fields. The compiler checks its types. */
function checkLiteralsIn(
  value: Value | undefined,
  schema: Schema | undefined,
  dialect: 'custom' | 'typed',
  visit: Visit,
): void {
  if (schema === undefined || value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkBelow(item, schema.items, index, dialect, visit);
  } else if (isMap(value)) {
    for (const [key, member] of Object.entries(value))
      checkBelow(member, memberSchema(schema, key), key, dialect, visit);
  } else if (typeof value !== 'string' || !partsOfText(value).some(isExpression)) {
    compileCheck(schema, dialect)(value, visit);
  }
}

function checkBelow(
  value: Value,
  schema: Schema | undefined,
  step: string | number,
  dialect: 'custom' | 'typed',
  visit: Visit,
): void {
  // Other checks say what a name and a label must be.
  if (visit.path.length === 0 && step === 'metadata') return;
  visit.path.push(step);
  checkLiteralsIn(value, schema, dialect, visit);
  visit.path.pop();
}
