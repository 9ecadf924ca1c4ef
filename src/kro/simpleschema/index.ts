import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { createSchemaBudget } from './budget.ts';
import { buildStruct } from './build.ts';
import { customTypes } from './custom-types.ts';
import { schemasIn, schemasWithCheckedDefaults } from './rules.ts';

export { IMPLIED_DEFAULT } from './build.ts';
export { instanceSchema, toCrd } from './crd.ts';
export { withDefault } from './example-default.ts';
export { markerNames } from './marker-names.ts';
export { markersOf } from './markers-of.ts';
export { pluralize } from './plural.ts';
export { schemasWithCheckedDefaults, validationRules } from './rules.ts';

/** `spec.schema.spec` and `spec.schema.types` of an RGD, as written. */
export interface SchemaDefinition {
  spec: Value | undefined;
  types: Value | undefined;
}

/**
 * Converts SimpleSchema to OpenAPI (kro: simpleschema.ToOpenAPISpec). Every error is reported, with paths relative to
 * `spec.schema`; after an error the schema lacks the fields concerned.
 */
export function toOpenApi(definition: SchemaDefinition): { schema: Schema; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => {
    problems.push(problem);
  };
  const budget = createSchemaBudget();
  const context = customTypes(fieldsOf(definition.types, 'types', report), report, budget);
  const schema = buildStruct(fieldsOf(definition.spec, 'spec', report), ['spec'], context);
  const reportOf = (schemas: Iterable<Schema>, postponed: WeakMap<Schema, Problem>): void => {
    for (const used of schemas) {
      const problem = postponed.get(used);
      if (problem !== undefined) report(problem);
    }
  };
  reportOf(schemasIn(schema), budget.unreadDefaults);
  reportOf(schemasWithCheckedDefaults(schema), budget.wrongDefaults);
  const large = budget.faultOf(schema);
  if (large === undefined) return { schema, problems };
  report({ ...large, path: ['spec'] });
  return { schema: { type: 'object' }, problems };
}

function fieldsOf(value: Value | undefined, name: 'spec' | 'types', report: (problem: Problem) => void): ValueMap {
  if (isMap(value)) return value;
  if (value !== undefined && value !== null) {
    report({
      code: 'schema-shape',
      message: phrase`${shown(name)} must be a map of ${name === 'spec' ? phrase`fields` : phrase`types`}`,
      path: [name],
    });
  }
  return {};
}
