import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { inOrder } from '../../core/model/order.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { shownPath } from '../../core/text/clip.ts';
import { partsOf, type Schema, type ValidationRule } from '../../kubernetes/schema/index.ts';
import { createSchemaBudget, type SchemaBudget } from './budget.ts';
import { buildField, buildStruct, type CustomType, type TypeContext } from './build.ts';
import { type Marker, parseMarkers } from './markers.ts';
import { parseType } from './type-expression.ts';

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
export { instanceSchema, toCrd } from './crd.ts';
export { markerNames } from './markers.ts';

/** Converts SimpleSchema to OpenAPI (kro: simpleschema.ToOpenAPISpec). */
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

/** Returns a field of SimpleSchema with a default, as it is written in YAML: `"[]Volume | default=[]"`. */
export function withDefault(written: string): string | undefined {
  const [type = '', markers] = written.split('|').map((part) => part.trim());
  const value = DEFAULTS.find(([pattern]) => pattern.test(type))?.[1];
  if (value === undefined) return undefined;
  const declared = `${type} | ${markers === undefined ? '' : `${markers} `}default=${value}`;
  return type.startsWith('[') ? `"${declared}"` : declared;
}

/** Returns the custom types in the declaration of a type. */
function* namesIn(spec: Value): Generator<string> {
  if (typeof spec === 'string') {
    const bar = spec.indexOf('|');
    let type = parseType(bar < 0 ? spec : spec.slice(0, bar), () => {});
    while (type?.kind === 'list' || type?.kind === 'map') type = type.kind === 'list' ? type.element : type.value;
    if (type?.kind === 'custom') yield type.name;
  } else if (isMap(spec)) {
    for (const key of Object.keys(spec)) yield* namesIn(spec[key] as Value);
  }
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
  const uses = names.map((name) => [...namesIn(types[name] as Value)].flatMap((used) => indexes.get(used) ?? []));
  const order = inOrder(
    uses.map((after) => ({ after })),
    (found) => {
      const cycle = found.map((index) => names[index] as string);
      const [first = ''] = cycle;
      if (built.has(first)) return;
      for (const name of cycle) built.set(name, 'broken');
      const message = phrase`the types refer to each other in a cycle: ${shownPath([...cycle, first])}`;
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
  const schema = isMap(spec)
    ? buildStruct(spec, path, inner)
    : buildField(
        spec,
        path,
        () => {
          required = true;
        },
        inner,
      );
  if (schema === undefined || broken) return 'broken';
  const large = context.budget.faultOf(schema);
  if (large === undefined) return { schema, required };
  context.report({ ...large, path });
  return 'broken';
}
