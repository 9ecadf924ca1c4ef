import { type Text, trusted } from '../../core/diagnostics/index.ts';
import { formatSteps } from '../../core/model/read.ts';
import { type GraphNode, readsOf } from '../../kro/compile/index.ts';

/** A field of a node that reads a field of another one; '' for the whole object. */
export interface FieldRead {
  read: Text;
  by: Text;
}

/** Returns what the expressions of a node read of another one, without duplicates, in the order of the expressions. */
export function readsBetween(node: GraphNode, other: GraphNode): FieldRead[] {
  const found = new Map<string, FieldRead>();
  const all = [...node.includeWhen, ...node.forEach.map(({ expression }) => expression), ...node.expressions];
  for (const expression of all) {
    const field = expression.path.slice(node.path.length);
    const isTemplate = field[0] === 'template' || field[0] === 'externalRef';
    const by = trusted.field(isTemplate ? field.slice(1) : field);
    for (const { root, path } of readsOf(expression, node)) {
      if (root !== other.id) continue;
      const read = trusted.definition(formatSteps(path));
      found.set(`${read}\0${by}`, { read, by });
    }
  }
  return [...found.values()];
}
