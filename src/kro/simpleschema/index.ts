import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { partsOf, type Schema, type ValidationRule } from '../../kubernetes/schema/index.ts';
import { createSchemaBudget } from './budget.ts';
import { buildStruct } from './build.ts';
import { customTypes } from './custom-types.ts';
import { type Marker, parseMarkers } from './markers.ts';

/**
 * Returns every validation rule of a schema with its schema, each rule once although an alias may be used many times.
 * `path` is that of the field: lists and maps are declared in the text of their field, so they add no step.
 */
export function* validationRules(schema: Schema): Iterable<{ path: Path; schema: Schema; rule: ValidationRule }> {
  yield* rulesBelow(schema, [], new Set(), new Set());
}

function* rulesBelow(
  schema: Schema,
  path: Path,
  seen: Set<ValidationRule>,
  walked: Set<Schema>,
): Iterable<{ path: Path; schema: Schema; rule: ValidationRule }> {
  if (walked.has(schema)) return;
  walked.add(schema);
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    if (seen.has(rule)) continue;
    seen.add(rule);
    yield { path, schema, rule };
  }
  for (const { schema: part, key, of } of partsOf(schema))
    yield* rulesBelow(part, of === 'field' ? [...path, key] : path, seen, walked);
}

/** Returns a schema and all below it, each once; those of the values of maps on request. */
function* schemasBelow(schema: Schema, withMapValues: boolean, seen: Set<Schema>): Iterable<Schema> {
  if (seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  for (const part of partsOf(schema))
    if (withMapValues || part.of !== 'values') yield* schemasBelow(part.schema, withMapValues, seen);
}

/** Returns a schema and all below it, each once. */
const schemasIn = (schema: Schema): Iterable<Schema> => schemasBelow(schema, true, new Set());

/**
 * Returns the schemas whose defaults an API server checks in a CRD: it does not check the values of maps
 * (k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting, validate).
 */
export const schemasWithCheckedDefaults = (schema: Schema): Iterable<Schema> => schemasBelow(schema, false, new Set());

export { IMPLIED_DEFAULT } from './build.ts';
export { instanceSchema, toCrd } from './crd.ts';
export { markerNames } from './marker-hints.ts';

/**
 * Converts SimpleSchema to OpenAPI (kro: simpleschema.ToOpenAPISpec). Every error is reported, with paths relative to
 * `spec.schema`; after an error the schema lacks the fields concerned.
 */
export function toOpenApi(definition: { spec: Value | undefined; types: Value | undefined }): {
  schema: Schema;
  problems: Problem[];
} {
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

/** Returns the markers of a field as written, `required=true default=3`; none if they are invalid. */
export function markersOf(text: string): readonly Marker[] {
  const bar = text.indexOf('|');
  return bar < 0 ? [] : (parseMarkers(text, bar + 1, () => {}) ?? []);
}

/** Defaults of SimpleSchema by the beginning of a type. */
const DEFAULTS: readonly (readonly [RegExp, string])[] = [
  [/^\[\]/, '[]'],
  [/^(map\[|object$)/, '{}'],
  [/^string$/, '""'],
  [/^integer$/, '0'],
  [/^float$/, '0.0'],
  [/^boolean$/, 'false'],
];

/**
 * Returns a field of SimpleSchema with a default, as it is written in YAML: `"[]Volume | default=[]"`. Returns
 * `undefined` for other types.
 */
export function withDefault(written: string): string | undefined {
  const [type = '', markers] = written.split('|').map((part) => part.trim());
  const value = DEFAULTS.find(([pattern]) => pattern.test(type))?.[1];
  if (value === undefined) return undefined;
  const declared = `${type} | ${markers === undefined ? '' : `${markers} `}default=${value}`;
  return type.startsWith('[') ? `"${declared}"` : declared;
}
