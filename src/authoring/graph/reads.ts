import { formatPath } from '../../core/model/path.ts';
import { clipped } from '../../core/text/clip.ts';
import { type GraphNode, readsOf } from '../../kro/compile/index.ts';
import { formatSteps } from '../../languages/cel/index.ts';

/** A field of a node that reads a field of another one; '' for the whole object. */
export interface FieldRead {
  read: string;
  by: string;
}

/** Returns what the expressions of a node read of another one, without duplicates, in the order of the expressions. */
export function readsBetween(node: GraphNode, other: GraphNode): FieldRead[] {
  const found = new Map<string, FieldRead>();
  const all = [...node.includeWhen, ...node.forEach.map(({ expression }) => expression), ...node.expressions];
  for (const expression of all) {
    const field = expression.path.slice(node.path.length);
    const by = formatPath(field[0] === 'template' || field[0] === 'externalRef' ? field.slice(1) : field);
    for (const { root, path } of readsOf(expression, node)) {
      if (root !== other.id) continue;
      const read = formatSteps(path);
      found.set(`${read}\0${by}`, { read, by });
    }
  }
  return [...found.values()];
}

const MOST_LINES = 3;
const MOST_LETTERS = 40;

/** Returns the lines on an arrow: the fields that are read. */
export function labelOf(reads: readonly FieldRead[]): string[] {
  const fields = [...new Set(reads.map(({ read }) => clipped(read === '' ? 'the object' : read, MOST_LETTERS)))];
  const shown = fields.length > MOST_LINES ? fields.slice(0, MOST_LINES - 1) : fields;
  return shown.length === fields.length ? shown : [...shown, `and ${fields.length - shown.length} more`];
}

const MOST_READS = 20;

/** Returns the tooltip of an arrow: the reading and the read fields, a line each. */
export function tooltipOf(reads: readonly FieldRead[], from: string, to: string): string {
  const lines = reads
    .slice(0, MOST_READS)
    .map(({ read, by }) => `${to}: ${clipped(by, 200)} reads ${from}${read === '' ? '' : joined(clipped(read, 200))}`);
  return [...lines, ...(reads.length > MOST_READS ? [`and ${reads.length - MOST_READS} more`] : [])].join('\n');
}

const joined = (read: string): string => (read.startsWith('[') ? read : `.${read}`);
