/** What the expressions of RGDs compare fields with: constants, lengths and keys of maps. */
import { getOrCompute } from '../../core/model/lazily.ts';
import type { Read } from '../../core/model/read.ts';
import type { Value } from '../../core/model/value.ts';
import { type ExpressionReads, type Graph, type GraphNode, nodeReads } from '../../kro/compile/index.ts';
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
  const found = new FoundLiterals();
  for (const { nodes } of graphs) for (const node of nodes) found.addNode(node);
  return found.bounded();
}

class FoundLiterals {
  readonly #byField = new Map<string, Set<Value>>();
  readonly #all = new Set<Value>();
  readonly #keys = new Map<string, Set<string>>();
  readonly #together = new Map<string, readonly string[]>();

  addNode(node: GraphNode): void {
    const ofConditions = new Set<string>();
    for (const read of nodeReads(node)) {
      const fields = this.#addExpression(read);
      if (read.part === 'includeWhen') for (const field of fields) ofConditions.add(field);
      this.#addTogether(fields);
    }
    this.#addTogether(ofConditions);
  }

  /** Returns the fields that the expression reads. */
  #addExpression({ expression, reads }: ExpressionReads): ReadonlySet<string> {
    const constants = constantsIn(expression.parsed.root);
    const paths = reads.filter(isOfSpec).map(pathOf);
    const fields = new Set(paths.map((path) => path.join('\0')));
    for (const constant of constants) this.#all.add(constant);
    for (const field of fields) {
      const known = getOrCompute(this.#byField, field, () => new Set<Value>());
      for (const constant of constants) known.add(constant);
    }
    for (const path of paths) addKeys(path, this.#keys);
    return fields;
  }

  #addTogether(fields: ReadonlySet<string>): void {
    if (fields.size > 1) this.#together.set([...fields].sort().join('\0\0'), [...fields]);
  }

  bounded(): Literals {
    return {
      byField: new Map([...this.#byField].map(([field, values]) => [field, [...values].slice(0, MOST_LITERALS)])),
      all: [...this.#all].slice(0, MOST_LITERALS),
      keys: new Map([...this.#keys].map(([field, names]) => [field, [...names].slice(0, MOST_LITERALS)])),
      together: [...this.#together.values()],
    };
  }
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
