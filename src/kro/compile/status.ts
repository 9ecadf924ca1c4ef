import { phrase, shown } from '../../core/diagnostics/index.ts';
import { type Allowance, allowance, MAX_SCHEMA_CHARACTERS, MAX_STATUS_DEPTH, spend } from '../../core/model/limits.ts';
import { formatPath, isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { type CelType, formatType, type ObjectType } from '../../languages/cel/index.ts';
import { compileConditions } from './conditions.ts';
import { isLibraryStruct, typeText } from './declared-type.ts';
import type { Scope } from './expression.ts';
import type { StatusProgram } from './graph.ts';
import { holdsExpression } from './scan.ts';
import { compileTemplate } from './template.ts';
import { type CompiledExpression, keyOutOfReach, OUT_OF_REACH, type TemplateField } from './template-program.ts';

const STATUS: Path = ['spec', 'schema', 'status'];

/** Compiles `spec.schema.status` (kro: inferStatusSchema, buildConditions). */
export function compileStatus(status: Value | undefined, scope: Scope): StatusProgram & { schema: Schema | undefined } {
  const none = { template: { kind: 'literal', value: {} } as const, conditions: [], schema: undefined };
  if (!isMap(status)) return none;
  const fields: ValueMap = { ...status };
  delete fields.conditions;
  const conditions = compileConditions(status.conditions, [...STATUS, 'conditions'], scope);
  if (Object.keys(fields).length === 0) return { ...none, conditions };
  reportLiterals(fields, STATUS, scope);
  if (Object.hasOwn(fields, 'state')) reportState(scope);
  const template = compileTemplate(
    fields,
    { path: STATUS, schema: undefined, typeName: '__type_status' },
    { scope, root: STATUS.length, onExpression: (expression, inside) => checkLeaf(expression, inside, scope) },
  );
  return { template, conditions, schema: fieldSchemaOf(template, createStatusBudget(), scope) };
}

function reportState({ report }: Scope): void {
  report({
    code: 'status-state',
    message: phrase`kro writes status.state itself, so that this value is never written`,
    path: [...STATUS, 'state'],
    severity: 'warning',
    hint: phrase`choose another name`,
  });
}

function reportLiterals(value: Value, path: Path, scope: Scope): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reportLiterals(item, [...path, index], scope);
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) reportLiterals(value[key] as Value, [...path, key], scope);
  } else if (typeof value !== 'string' || !holdsExpression(value)) {
    const message = phrase`a status field must hold an expression: its type and its value come from it`;
    scope.report({ code: 'status-literal', message, path, hint: phrase`${exampleFor(value, scope)}` });
  }
}

function exampleFor(value: Value, { variables, nodes }: Scope): string {
  const named = typeof value === 'string' ? /^(\w+)\.[\w.]+$/.exec(value.trim())?.[1] : undefined;
  if (named !== undefined && variables.has(named)) return `write \${${String(value).trim()}}`;
  const node = [...nodes.keys()].find((id) => variables.get(id)?.kind !== 'list');
  return `for example \${${node ?? 'schema'}.metadata.name}`;
}

function checkLeaf(expression: CompiledExpression, inside: Path, { report }: Scope): void {
  const key = keyOutOfReach(inside);
  if (key !== undefined) {
    const message = phrase`kro cannot fill a field below the key ${{ key: formatPath([key]) }}`;
    report({ code: 'status-type', message, path: expression.path, hint: phrase`rename it: ${shown(OUT_OF_REACH)}` });
  }
  if (expression.names.length > 0) return;
  const message = phrase`a status expression must read a node or 'schema'`;
  report({ code: 'status-reads-nothing', message, path: expression.path, offset: expression.offset });
}

function fieldSchemaOf(field: TemplateField, budget: StatusBudget, scope: Scope): Schema | undefined {
  switch (field.kind) {
    case 'computed': {
      const [only] = field.parts;
      if (field.isText || typeof only !== 'object') return { type: 'string' };
      if (budget.left < 0) return undefined;
      const { path, offset, type } = only;
      const schema = inferredSchema(type, budget);
      if (schema !== undefined) return schema;
      if (budget.left < 0) {
        const message = phrase`the schema of the status would take more than ${{ limit: shown(MAX_SCHEMA_CHARACTERS) }} characters`;
        const hint = phrase`read the fields that are needed, not all`;
        scope.report({ code: 'schema-too-large', message, path, offset, hint });
      } else {
        const message = phrase`no schema can be inferred from ${{ type: typeText(type) }}: the type nests too deeply`;
        scope.report({ code: 'status-type', message, path, offset });
      }
      return undefined;
    }
    case 'list': {
      const items = field.items.map((item) => fieldSchemaOf(item, budget, scope)).reduce(mergeSchemas, undefined);
      return items === undefined ? { type: 'array' } : { type: 'array', items };
    }
    case 'map': {
      const properties: Record<string, Schema> = {};
      for (const [key, value] of field.entries) {
        const schema = fieldSchemaOf(value, budget, scope);
        if (schema !== undefined) setKey(properties, key, schema);
      }
      return { type: 'object', properties };
    }
    default:
      return undefined;
  }
}

/** Items of one list may fill different fields of one object; other items have the schema of the first. */
function mergeSchemas(a: Schema | undefined, b: Schema | undefined): Schema | undefined {
  if (a?.properties === undefined || b?.properties === undefined) return a ?? b;
  return { ...a, ...b, properties: { ...a.properties, ...b.properties } };
}

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
 * Returns the schema of the type of an expression (kro: pkg/graph/schema/conversion_cel_type.go), `undefined` if it
 * nests too deeply or the budget is exhausted. A recursive type is an object without fields, as in kro.
 */
export const inferredSchema = (type: CelType, budget: StatusBudget = createStatusBudget()): Schema | undefined =>
  schemaOf(type, { above: new Set(), budget, deepest: 0, cuts: 0 });

const SCALARS: Readonly<Partial<Record<CelType['kind'], Schema>>> = {
  bool: { type: 'boolean' },
  int: { type: 'integer' },
  uint: { type: 'integer' },
  double: { type: 'number' },
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
};

interface Walk {
  above: Set<unknown>;
  budget: StatusBudget;
  /** Their maximum number so far. */
  deepest: number;
  cuts: number;
}

/** Returns all declared fields, down to scalars; other types of fields keep any content, as in kro. */
function schemaOf(type: CelType, walk: Walk): Schema | undefined {
  switch (type.kind) {
    case 'list': {
      const items = schemaOf(type.element, walk);
      return items && { type: 'array', items };
    }
    case 'map': {
      const additionalProperties = schemaOf(type.value, walk);
      return additionalProperties && { type: 'object', additionalProperties };
    }
    case 'object':
      return objectSchema(type, walk);
    default:
      return SCALARS[type.kind] ?? (walk.above.size > 0 ? ANYTHING : otherSchema(type));
  }
}

function otherSchema(type: CelType): Schema {
  if (isLibraryStruct(type)) return { type: 'object', additionalProperties: true };
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return ANYTHING;
    case 'null':
      return { ...ANYTHING, description: 'null type - any value allowed' };
    case 'timestamp':
      return { description: 'Timestamp representing a creation time', type: 'string', format: 'date-time' };
    default:
      return { ...ANYTHING, description: `unknown CEL type: ${formatType(type)}` };
  }
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
    const schema = field && schemaOf(field, walk);
    if (schema === undefined) return undefined;
    setKey(properties, name, schema);
  }
  return Object.keys(properties).length === 0 ? { type: 'object' } : { type: 'object', properties };
}
