import data from '../../../data/kro-crd.json';
import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { inOrder } from '../../core/model/order.ts';
import { get, getAt, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { shownPath } from '../../core/text/clip.ts';
import { partsOf, pluralize, type Schema, type ValidationRule } from '../../kubernetes/schema/index.ts';
import type { Definition } from '../definition/index.ts';
import { isRewrittenDefault } from './apply-markers.ts';
import { createSchemaBudget, type SchemaBudget } from './budget.ts';
import { buildField, buildStruct, type CustomType, type TypeContext } from './build.ts';
import { type Marker, parseMarkers } from './markers.ts';
import { parseType } from './type-expression.ts';

type Named = Pick<Definition, 'schema' | 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>;

/** Returns the CustomResourceDefinition that kro creates for an RGD (kro: pkg/graph/crd, SynthesizeCRD). */
export function toCrd(definition: Named, spec: Schema, status?: Schema): KubeObject {
  const { schema, group, version, kind, namespaced } = definition;
  const singular = kind.toLowerCase();
  const plural = definition.plural ?? pluralize(singular);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...nonEmpty(schema.metadata, ['labels', 'annotations']) },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular, ...nonEmpty(schema, ['shortNames', 'categories']) },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: asValue(rootSchema(spec, status)) },
          subresources: { status: {} },
          additionalPrinterColumns: printerColumns(schema.additionalPrinterColumns),
        },
      ],
    },
  };
}

/** Reports whether kro finds a change in a schema each time, because an API server writes one of its defaults otherwise. */
export function isAlwaysRewritten(schema: Schema): boolean {
  if (isRewrittenDefault(schema)) return true;
  const inside = [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])];
  return inside.some(isAlwaysRewritten);
}

export function instanceSchema(crd: KubeObject): Schema {
  return getAt(crd, ['spec', 'versions', 0, 'schema', 'openAPIV3Schema']) as Schema;
}

/** Schemas are plain data with the keys of OpenAPI, so they are valid values. */
const asValue = (schema: Schema): Value => schema as unknown as Value;

/** Returns the root schema (kro: newCRDSchema). An author's own status.state or status.conditions is kept. */
function rootSchema(spec: Schema, status: Schema | undefined): Schema {
  return {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      status: {
        type: 'object',
        ...status,
        properties: { state: { type: 'string' }, conditions: data.conditions as Schema, ...status?.properties },
      },
    },
  };
}

/** Returns the printer columns; given ones replace kro's (kro: newCRDAdditionalPrinterColumns). */
function printerColumns(given: Value | undefined): Value {
  if (!Array.isArray(given) || given.length === 0) return data.printerColumns;
  return given.map((column) => (isMap(column) ? withoutZeroes(column) : column));
}

/** Removes optional fields with a zero value, which Kubernetes omits from the JSON of a column. */
function withoutZeroes(column: ValueMap): ValueMap {
  const optional = ['format', 'description', 'priority'];
  const remaining = Object.entries(column).filter(
    ([key, value]) => !(optional.includes(key) && (value === '' || value === 0n || value === null)),
  );
  return Object.fromEntries(remaining);
}

function nonEmpty(map: Value | undefined, keys: readonly string[]): ValueMap {
  const given = keys.flatMap((key): [string, Value][] => {
    const value = get(map, key);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? [[key, value]] : [];
  });
  return Object.fromEntries(given);
}

export interface InnerSchema {
  schema: Schema;
  /** The path of the field that contains it: lists and maps add no step. */
  path: Path;
  /** It is below a list whose items cannot be matched between versions of the object. */
  uncorrelatable: boolean;
  /** An API server does not check the defaults below a map in a CRD (apiextensions-apiserver, defaulting/validate). */
  inMap: boolean;
}

/** Returns a schema and all below it, each once per context. */
export const schemasIn = (schema: Schema, path: Path = []): Iterable<InnerSchema> =>
  below({ schema, path, uncorrelatable: false, inMap: false }, [new Set(), new Set(), new Set(), new Set()]);

function* below(inner: InnerSchema, seen: readonly Set<Schema>[]): Iterable<InnerSchema> {
  const { schema, path, uncorrelatable, inMap } = inner;
  const known = seen[Number(uncorrelatable) + 2 * Number(inMap)];
  if (known === undefined || known.has(schema)) return;
  known.add(schema);
  yield inner;
  for (const { schema: part, key, of } of partsOf(schema)) {
    // Only the keys of a keyed list match its items.
    const lost = uncorrelatable || (of === 'items' && schema['x-kubernetes-list-type'] !== 'map');
    const at = of === 'field' ? [...path, key] : path;
    yield* below({ schema: part, path: at, uncorrelatable: lost, inMap: inMap || of === 'values' }, seen);
  }
}

/** Returns every validation rule of a schema, each once although an alias may be used many times. */
export function* validationRules(
  schema: Schema,
): Iterable<Pick<InnerSchema, 'path' | 'schema'> & { rule: ValidationRule }> {
  const seen = new Set<ValidationRule>();
  for (const { schema: of, path } of schemasIn(schema)) {
    for (const rule of of['x-kubernetes-validations'] ?? []) {
      if (!seen.has(rule)) yield { path, schema: of, rule };
      seen.add(rule);
    }
  }
}

export { IMPLIED_DEFAULT } from './build.ts';
export { markerNames } from './markers.ts';

/** Converts SimpleSchema to OpenAPI (kro: simpleschema.ToOpenAPISpec). */
export function toOpenApi({ spec, types }: Partial<ValueMap>): { schema: Schema; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => {
    problems.push(problem);
  };
  const budget = createSchemaBudget();
  const context = customTypes(fieldsOf(types, 'types', report), report, budget);
  const schema = buildStruct(fieldsOf(spec, 'spec', report), ['spec'], context);
  const all = [...schemasIn(schema)];
  const reportOf = (used: readonly InnerSchema[], postponed: WeakMap<Schema, Problem>): void => {
    for (const one of new Set(used.map((inner) => inner.schema))) {
      const problem = postponed.get(one);
      if (problem !== undefined) report(problem);
    }
  };
  reportOf(all, budget.unreadDefaults);
  reportOf(
    all.filter(({ inMap }) => !inMap),
    budget.wrongDefaults,
  );
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
      message: phrase`${{ key: shown(name) }} must be a map of ${name === 'spec' ? phrase`fields` : phrase`types`}`,
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

/** Returns a field of SimpleSchema with a default, as it is written in YAML: `"[]Volume | default=[]"`. */
export function withDefault(written: string): string | undefined {
  const [type = '', markers] = written.split('|').map((part) => part.trim());
  const value = DEFAULTS.find(([pattern]) => pattern.test(type))?.[1];
  if (value === undefined) return undefined;
  const declared = `${type} | ${markers === undefined ? '' : `${markers} `}default=${value}`;
  return type.startsWith('[') ? `"${declared}"` : declared;
}

function namesIn(spec: Value): string[] {
  if (isMap(spec)) return Object.values(spec).flatMap(namesIn);
  const found: string[] = [];
  const note = (name: string): undefined => void found.push(name);
  if (typeof spec === 'string') parseType(spec.split('|', 1)[0] ?? '', note, () => {});
  return found;
}

/** Builds types before those that use them (kro: loadCustomTypes), unused ones too; a cycle is reported once. */
function customTypes(types: ValueMap, report: TypeContext['report'], budget: SchemaBudget): TypeContext {
  const built = new Map<string, CustomType | 'broken'>();
  const context: TypeContext = {
    resolve: (name) => built.get(name) ?? (Object.hasOwn(types, name) ? 'broken' : 'unknown'),
    customTypeNames: Object.keys(types),
    report,
    budget,
  };
  const names = Object.keys(types);
  const indexes = new Map(names.map((name, index) => [name, index]));
  const uses = names.map((name) => namesIn(types[name] as Value).flatMap((used) => indexes.get(used) ?? []));
  const order = inOrder(
    uses.map((after) => ({ after })),
    (found) => {
      const cycle = found.map((index) => names[index] as string);
      const [first = ''] = cycle;
      if (built.has(first)) return;
      for (const name of cycle) built.set(name, 'broken');
      const message = phrase`the types refer to each other in a cycle: ${{ cycle: shownPath([...cycle, first]) }}`;
      report({ code: 'type-cycle', message, path: ['types', first], hint: phrase`break it with the type object` });
    },
  );
  for (const index of order) {
    const name = names[index] as string;
    if (!built.has(name)) built.set(name, buildType(name, types[name] as Value, context));
  }
  return context;
}

function buildType(name: string, spec: Value, context: TypeContext): CustomType | 'broken' {
  let required = false;
  let broken = false;
  const inner: TypeContext = {
    ...context,
    resolve(other) {
      const type = context.resolve(other);
      if (type === 'broken') broken = true;
      return type;
    },
    report(problem) {
      broken = true;
      context.report(problem);
    },
  };
  const path = ['types', name];
  const require = (): void => {
    required = true;
  };
  const schema = buildField(spec, path, require, inner);
  if (schema === undefined || broken) return 'broken';
  const large = context.budget.faultOf(schema);
  if (large === undefined) return { schema, required };
  context.report({ ...large, path });
  return 'broken';
}
