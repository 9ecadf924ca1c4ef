import { phrase, shown } from '../../core/diagnostics/index.ts';
import { type CelValue, EvaluationError, outcomeOf, toJson } from '../../languages/cel/index.ts';
import { settleFailures } from './failures.ts';
import { evaluate, type NodeRun } from './node-run.ts';
import { reportNode, reportWrongType } from './report.ts';
import type { NodeState } from './run.ts';
import { handlesSecret } from './secrecy.ts';

/**
 * Returns the combinations of a node's forEach lists, first iterator outermost (kro: evaluateForEach). Before kro 0.10,
 * lists after an empty one are not evaluated. Returns a state if a list has no value. The items are plain data, whatever
 * their type is, as values of objects: a timestamp is a string, a double without a fraction an integer if it was stored
 * as one.
 */
export function combinations(at: NodeRun): CelValue[][] | NodeState {
  const { run, node, world } = at;
  const lists: (readonly CelValue[])[] = [];
  for (const { name, expression } of node.forEach) {
    const found = evaluate(expression, run);
    const value = found instanceof EvaluationError ? found : outcomeOf(() => toJson(found));
    if (value instanceof EvaluationError) {
      const waits = world.semantics.forEachFails ? false : undefined;
      return settleFailures([{ expression, error: value, expected: expression.type, waits }], at);
    }
    if (!Array.isArray(value)) {
      return reportWrongType(expression, phrase`forEach '${shown(name)}' must yield a list`, at);
    }
    if (value.length === 0 && !world.semantics.forEachReadsAll) return [];
    lists.push(value);
  }
  const empty = lists.findIndex((list) => list.length === 0);
  // The lists before an empty one are limited too (kro 0.10: cartesianProduct).
  const size = lists.slice(0, empty < 0 ? undefined : empty).reduce((product, list) => product * list.length, 1);
  const limit = world.options.maxCollectionSize;
  if (size <= limit) return product(lists);
  const isSecret = node.forEach.some(({ expression }) => handlesSecret(expression, at));
  const count = shown(isSecret ? '' : `${size} items, `);
  const message = phrase`the collection would have ${count}more than the limit of ${shown(limit)}`;
  const hint = phrase`raise --max-collection-size, or shorten the lists`;
  const path = [...node.path, 'forEach'];
  reportNode(at, { code: 'collection-too-large', message, path, hint });
  return 'failed';
}

function product(lists: readonly (readonly CelValue[])[]): CelValue[][] {
  return lists.reduce<CelValue[][]>((rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])), [[]]);
}
