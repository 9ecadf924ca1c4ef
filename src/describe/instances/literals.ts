/** What the expressions of RGDs compare fields with: constants, lengths and keys of maps. */
import { getOrCompute } from '../../core/model/lazily.ts';
import type { Read } from '../../core/model/read.ts';
import type { Value } from '../../core/model/value.ts';
import { type Graph, nodeReads } from '../../kro/compile/index.ts';
import { type Expr, subExpressions } from '../../languages/cel/index.ts';
import { type FieldPath, ITEM } from '../unguarded/index.ts';

export interface Literals {
  /** The constants of the expressions that read a field, by the path of the field. */
  byField: ReadonlyMap<string, readonly Value[]>;
  /** The constants of all expressions, for fields whose value is compared after it went through an object. */
  all: readonly Value[];
  /** The keys of maps that expressions name, by the path of the map. */
  keys: ReadonlyMap<string, readonly string[]>;
  /** The fields that one expression, or the conditions of one node, read together. */
  together: readonly (readonly string[])[];
}

const MOST_LITERALS = 24;

/** Collects what the expressions of both versions of an RGD compare. */
export function literalsOf(graphs: readonly Graph[]): Literals {
  const byField = new Map<string, Set<Value>>();
  const all = new Set<Value>();
  const keys = new Map<string, Set<string>>();
  const together = new Map<string, readonly string[]>();
  for (const node of graphs.flatMap(({ nodes }) => nodes)) {
    const ofConditions = new Set<string>();
    for (const { expression, reads, part } of nodeReads(node)) {
      const constants = constantsIn(expression.parsed.root);
      const fields = new Set(reads.filter(isOfSpec).map((read) => pathOf(read).join('\0')));
      for (const constant of constants) all.add(constant);
      for (const field of fields) {
        const known = getOrCompute(byField, field, () => new Set<Value>());
        for (const constant of constants) known.add(constant);
        if (part === 'includeWhen') ofConditions.add(field);
      }
      for (const read of reads.filter(isOfSpec)) addKeys(pathOf(read), keys);
      if (fields.size > 1) together.set([...fields].sort().join('\0\0'), [...fields]);
    }
    if (ofConditions.size > 1) together.set([...ofConditions].sort().join('\0\0'), [...ofConditions]);
  }
  return {
    byField: new Map([...byField].map(([field, values]) => [field, [...values].slice(0, MOST_LITERALS)])),
    all: [...all].slice(0, MOST_LITERALS),
    keys: new Map([...keys].map(([field, names]) => [field, [...names].slice(0, MOST_LITERALS)])),
    together: [...together.values()],
  };
}

const isOfSpec = ({ root, path }: Read): boolean => root === 'schema' && path[0] === 'spec' && path.length > 1;

const pathOf = ({ path }: Read): FieldPath => path.slice(1).map((step) => (typeof step === 'string' ? step : ITEM));

function addKeys(path: FieldPath, keys: Map<string, Set<string>>): void {
  for (const [index, name] of path.entries()) {
    if (name === ITEM) continue;
    getOrCompute(keys, path.slice(0, index).join('\0'), () => new Set<string>()).add(name);
  }
}

function constantsIn(expr: Expr): Value[] {
  const found: Value[] = [];
  for (const one of subExpressions(expr)) {
    if (one.kind !== 'literal') continue;
    const { type, value } = one.literal;
    if (type !== 'bytes' && value !== null && value !== undefined) found.push(value as Value);
  }
  return found;
}
