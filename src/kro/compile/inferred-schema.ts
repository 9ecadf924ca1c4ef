import { type Allowance, allowance, MAX_SCHEMA_CHARACTERS, MAX_STATUS_DEPTH, spend } from '../../core/model/limits.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { type CelType, formatType, type ObjectType } from '../../languages/cel/index.ts';

/** The budget of the inferred schema of one status: characters. */
export interface StatusBudget extends Allowance {
  /** The results for declarations: a type that is read twice is computed once, and its schema is shared. */
  readonly known: Map<unknown, { schema: Schema; characters: number; depth: number }>;
}

export const createStatusBudget = (): StatusBudget => ({ ...allowance(MAX_SCHEMA_CHARACTERS), known: new Map() });

/** The length of a field in JSON without its name: `"":{"type":"string"},`. */
const FIELD = 20;

const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/**
 * Returns the schema of a status field, inferred from the type of its expression (kro:
 * pkg/graph/schema/conversion_cel_type.go). A recursive type is an object without fields, as kro's schema resolver cuts
 * it off. Returns `undefined` for a type that nests too deeply, and if the budget is exhausted.
 */
export function inferredSchema(type: CelType, budget: StatusBudget = createStatusBudget()): Schema | undefined {
  switch (type.kind) {
    case 'list':
    case 'map':
      return collectionSchema(type, (part) => inferredSchema(part, budget));
    case 'opaque':
      return isLibraryStruct(type) ? { type: 'object', additionalProperties: true } : unknownType(type);
    case 'object':
      return fullSchema(type, { above: new Set(), budget, deepest: 0, cuts: 0 });
    case 'dyn':
    case 'param':
      return ANYTHING;
    case 'null':
      return { ...ANYTHING, description: 'null type - any value allowed' };
    case 'timestamp':
      return { description: 'Timestamp representing a creation time', type: 'string', format: 'date-time' };
    default:
      return SCALARS[type.kind] ?? unknownType(type);
  }
}

/** For kro the types of Kubernetes' libraries are structs without fields, except those of `ip` and `cidr`. */
export const isLibraryStruct = (type: CelType): boolean =>
  type.kind === 'opaque' && type.name.startsWith('kubernetes.');

const unknownType = (type: CelType): Schema => ({ ...ANYTHING, description: `unknown CEL type: ${formatType(type)}` });

const SCALARS: Readonly<Partial<Record<CelType['kind'], Schema>>> = {
  bool: { type: 'boolean' },
  int: { type: 'integer' },
  uint: { type: 'integer' },
  double: { type: 'number' },
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
};

function collectionSchema(
  type: CelType & { kind: 'list' | 'map' },
  schemaOf: (part: CelType) => Schema | undefined,
): Schema | undefined {
  const part = schemaOf(type.kind === 'list' ? type.element : type.value);
  return (
    part && (type.kind === 'list' ? { type: 'array', items: part } : { type: 'object', additionalProperties: part })
  );
}

interface Walk {
  /** The declarations that contain the current one. */
  above: Set<unknown>;
  budget: StatusBudget;
  /** Their maximum number so far. */
  deepest: number;
  /** The number of recursive types. */
  cuts: number;
}

/** Returns all declared fields, down to scalars. Other types (timestamps, durations) keep any content, as in kro. */
function fullSchema(type: CelType, walk: Walk): Schema | undefined {
  if (type.kind === 'list' || type.kind === 'map') return collectionSchema(type, (part) => fullSchema(part, walk));
  if (type.kind !== 'object') return SCALARS[type.kind] ?? ANYTHING;
  return objectSchema(type, walk);
}

function objectSchema(type: ObjectType, walk: Walk): Schema | undefined {
  const { above, budget } = walk;
  const declaration = type.declaration ?? type.name;
  if (above.has(declaration)) {
    walk.cuts += 1;
    return { type: 'object' };
  }
  if (above.size > MAX_STATUS_DEPTH) return undefined;
  const known = budget.known.get(declaration);
  if (known !== undefined && above.size + known.depth <= MAX_STATUS_DEPTH + 1) {
    walk.deepest = Math.max(walk.deepest, above.size + known.depth);
    return spend(budget, known.characters) ? known.schema : undefined;
  }
  const before = { left: budget.left, deepest: walk.deepest, cuts: walk.cuts, size: above.size };
  above.add(declaration);
  walk.deepest = above.size;
  const schema = schemaOfFields(type, walk);
  if (schema === undefined) return undefined;
  above.delete(declaration);
  // The cut-off depends on the position. Several types may have the same name.
  if (walk.cuts === before.cuts && typeof declaration === 'object') {
    const depth = walk.deepest - before.size;
    budget.known.set(declaration, { schema, characters: before.left - budget.left, depth });
  }
  walk.deepest = Math.max(walk.deepest, before.deepest);
  return schema;
}

function schemaOfFields(type: ObjectType, walk: Walk): Schema | undefined {
  const properties: Record<string, Schema> = {};
  for (const name of type.fieldNames()) {
    if (!spend(walk.budget, name.length + FIELD)) return undefined;
    const field = type.field(name);
    const schema = field && fullSchema(field, walk);
    if (schema === undefined) return undefined;
    properties[name] = schema;
  }
  return Object.keys(properties).length === 0 ? { type: 'object' } : { type: 'object', properties };
}
