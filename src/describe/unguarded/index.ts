/** Finds reads of optional fields of the instance without a guard, which fail or are pending if the field is absent. */
import { isOptional, type Read, type Step } from '../../core/model/read.ts';
import { ownValue } from '../../core/model/value.ts';
import { type CompiledExpression, type Graph, type GraphNode, nodeReads } from '../../kro/compile/index.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';

/** The names of fields below `spec`; ITEM stands for any item of a list and any value of a map. */
export type FieldPath = readonly string[];
export const ITEM = '*';

export interface UnguardedRead {
  path: FieldPath;
  node: GraphNode;
  expression: CompiledExpression;
  offset: number;
}

/** Returns the reads that no `has()`, `?` or condition guards, of required fields and those with a default too. */
export function unguardedReads({ nodes }: Graph): UnguardedRead[] {
  return nodes.flatMap((node) => {
    const all = nodeReads(node);
    const tested = guardsIn(all.flatMap(({ part, reads }) => (part === 'includeWhen' ? reads : [])));
    return all.flatMap(({ expression, reads }) => {
      const guards = new Set([...tested, ...guardsIn(reads)]);
      return reads
        .filter(isOfSpec)
        .map(({ path, needed, offset }) => ({ path: fieldPath(path.slice(1, needed)), node, expression, offset }))
        .filter(({ path }) => !isGuarded(path, guards))
        .sort((a, b) => a.offset - b.offset);
    });
  });
}

const isOfSpec = ({ root, path, needed }: Read): boolean => root === 'schema' && path[0] === 'spec' && needed > 0;

const fieldPath = (steps: readonly Step[]): FieldPath => steps.map((step) => (typeof step === 'string' ? step : ITEM));

/** Returns the fields that reads test: the first one of each that may be absent. */
const guardsIn = (reads: readonly Read[]): string[] =>
  reads
    .filter((read) => isOfSpec(read) && isOptional(read))
    .map(({ path, needed }) => keyOf(fieldPath(path.slice(1, needed + 1))));

/** Returns the optional fields without a default on a path, outermost first. */
export function optionalOn(graph: Graph, path: FieldPath): FieldPath[] {
  const found: FieldPath[] = [];
  let schema: Schema | undefined = graph.schema.properties?.spec;
  let given: unknown;
  for (const [index, name] of path.entries()) {
    if (schema === undefined) break;
    const isField = name !== ITEM && schema.properties !== undefined;
    const field: Schema | undefined = isField ? ownValue(schema.properties, name) : itemSchema(schema);
    const isGiven = typeof given === 'object' && given !== null && Object.hasOwn(given, name);
    if (isField && field !== undefined && field.default === undefined && !isGiven) {
      if (schema.required?.includes(name) !== true) found.push(path.slice(0, index + 1));
    }
    given = field?.default;
    schema = field;
  }
  return found;
}

/** Returns a text for a set or a map of paths. */
export const keyOf = (path: FieldPath): string => path.join('\0');

const itemSchema = (schema: Schema): Schema | undefined => schema.items ?? valueSchema(schema);

const isGuarded = (path: FieldPath, guards: ReadonlySet<string>): boolean =>
  path.some((_, index) => guards.has(keyOf(path.slice(0, index + 1))));
