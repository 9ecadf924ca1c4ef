import { toJson } from '../../src/api/index.ts';
import { readRenderInput } from '../../src/api/package.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { type Evaluated, explainable, explainNode, verdictOf } from '../../src/describe/explain/index.ts';
import { titleOfRun } from '../../src/kro/expand/index.ts';
import { inputOf, optionsOf } from './package.ts';
import type { Package, SkippedNode } from './protocol.ts';

/** The maximum number of nodes, and of characters of a value. */
const MOST = 200;
const LONGEST = 60;

/** Returns the nodes that are skipped, with the condition that is false and the values that it reads. */
export function skippedNodes(pack: Package): readonly SkippedNode[] {
  const { input, options } = readRenderInput(inputOf(pack), optionsOf(pack));
  const { package: expanded } = explainable(input, options);
  if (expanded === undefined) return [];
  const found: SkippedNode[] = [];
  for (const run of expanded.runs) {
    for (const node of run.graph.nodes) {
      if (verdictOf(run, node.index) !== 'skipped') continue;
      if (found.length === MOST) return found;
      const { id, kind, why, conditions } = explainNode(node, run, expanded);
      const condition = conditions.find(({ value }) => value === false);
      const start = { instance: titleOfRun(run), node: id, kind };
      if (condition === undefined) found.push({ ...start, why, values: [] });
      else found.push({ ...start, why: condition.source, values: leavesOf(condition.parts) });
    }
  }
  return found;
}

/** Returns the parts of an expression that have no parts, with their values. */
function leavesOf(parts: readonly Evaluated[]): SkippedNode['values'] {
  const leaves = parts.flatMap((part): SkippedNode['values'] => {
    if (part.parts.length > 0) return leavesOf(part.parts);
    return part.value === undefined ? [] : [{ text: part.source, value: clipped(toJson(part.value as JsonValue, 0)) }];
  });
  return leaves.filter(({ text }, at) => leaves.findIndex((one) => one.text === text) === at);
}

const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);
