import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { MAX_SCHEMA_CHARACTERS } from '../../core/model/limits.ts';
import { formatPath, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { typeText } from './compatible.ts';
import { compileConditions } from './conditions.ts';
import type { Scope } from './expression.ts';
import type { StatusProgram } from './graph.ts';
import { createStatusBudget, inferredSchema, type StatusBudget } from './inferred-schema.ts';
import { holdsExpression } from './scan.ts';
import { compileTemplate } from './template.ts';
import { type CompiledExpression, keyOutOfReach, OUT_OF_REACH, type TemplateField } from './template-field.ts';

export interface CompiledStatus {
  program: StatusProgram;
  /** The inferred schema of the status block, `undefined` if there is none. */
  schema: Schema | undefined;
}

const STATUS: Path = ['spec', 'schema', 'status'];

/**
 * Compiles `spec.schema.status` (kro: inferStatusSchema, buildConditions). Every leaf is an expression that reads a
 * node or the instance; the schema is inferred from the types. `conditions` contains runtime.newCondition expressions.
 */
export function compileStatus(
  status: Value | undefined,
  scope: Scope,
  { strict, isClosed }: { strict: boolean; isClosed: boolean },
  report: (problem: Problem) => void,
): CompiledStatus {
  const none: CompiledStatus = {
    program: { template: { kind: 'literal', value: {} }, conditions: [] },
    schema: undefined,
  };
  if (!isMap(status)) return none;
  const fields: ValueMap = { ...status };
  delete fields.conditions;
  const conditions = compileConditions(status.conditions, {
    path: [...STATUS, 'conditions'],
    scope,
    severity: strict ? 'error' : 'warning',
    report,
  });
  if (Object.keys(fields).length === 0) return { ...none, program: { ...none.program, conditions } };
  reportLiterals(fields, STATUS, scope, report);
  const template = compileTemplate(
    fields,
    { path: STATUS, schema: undefined, typeName: '__type_status' },
    { scope, report, strict, isClosed, onExpression: (expression, inside) => checkLeaf(expression, inside, report) },
  );
  return {
    program: { template, conditions },
    schema: fieldSchemaOf(template, createStatusBudget(), report),
  };
}

function reportLiterals(value: Value, path: Path, scope: Scope, report: (problem: Problem) => void): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reportLiterals(item, [...path, index], scope, report);
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) reportLiterals(value[key] as Value, [...path, key], scope, report);
  } else if (typeof value !== 'string' || !holdsExpression(value)) {
    const message = phrase`a status field must hold an expression: its type and its value come from it`;
    report({ code: 'status-literal', message, path, hint: phrase`${exampleFor(value, scope)}` });
  }
}

/** Returns the expression that a text without braces names, or one that reads a node of the RGD. */
function exampleFor(value: Value, { variables, nodes }: Scope): string {
  const named = typeof value === 'string' ? /^(\w+)\.[\w.]+$/.exec(value.trim())?.[1] : undefined;
  if (named !== undefined && variables.has(named)) return `write \${${String(value).trim()}}`;
  const node = [...nodes.keys()].find((id) => variables.get(id)?.kind !== 'list');
  return `for example \${${node ?? 'schema'}.metadata.name}`;
}

function checkLeaf(expression: CompiledExpression, inside: Path, report: (problem: Problem) => void): void {
  const key = keyOutOfReach(inside);
  if (key !== undefined) {
    const message = phrase`kro cannot fill a field below the key ${formatPath([key])}`;
    report({ code: 'status-type', message, path: expression.path, hint: phrase`rename it: ${shown(OUT_OF_REACH)}` });
  }
  if (expression.names.length > 0) return;
  const message = phrase`a status expression must read a node or 'schema'`;
  report({ code: 'status-reads-nothing', message, path: expression.path, offset: expression.offset });
}

function fieldSchemaOf(
  field: TemplateField,
  budget: StatusBudget,
  report: (problem: Problem) => void,
): Schema | undefined {
  switch (field.kind) {
    case 'text':
      return { type: 'string' };
    case 'expression': {
      if (budget.left < 0) return undefined;
      const schema = inferredSchema(field.expression.type, budget);
      if (schema !== undefined) return schema;
      const { path, offset, type } = field.expression;
      if (budget.left < 0) {
        const message = phrase`the schema of the status would take more than ${shown(MAX_SCHEMA_CHARACTERS)} characters`;
        const hint = phrase`read the fields that are needed, not all`;
        report({ code: 'schema-too-large', message, path, offset, hint });
      } else {
        const message = phrase`no schema can be inferred from ${typeText(type)}: the type nests too deeply`;
        report({ code: 'status-type', message, path, offset });
      }
      return undefined;
    }
    case 'list': {
      const items = field.items.map((item) => fieldSchemaOf(item, budget, report)).reduce(mergeSchemas, undefined);
      return items === undefined ? { type: 'array' } : { type: 'array', items };
    }
    case 'map': {
      const properties: Record<string, Schema> = {};
      for (const [key, value] of field.entries) {
        const schema = fieldSchemaOf(value, budget, report);
        if (schema !== undefined) properties[key] = schema;
      }
      return { type: 'object', properties };
    }
    default:
      return undefined;
  }
}

/** Items of one list may fill different fields of one object. */
function mergeSchemas(a: Schema | undefined, b: Schema | undefined): Schema | undefined {
  if (a === undefined || b === undefined || a.type !== 'object' || b.type !== 'object') return a ?? b;
  return { ...a, ...b, properties: { ...a.properties, ...b.properties } };
}
