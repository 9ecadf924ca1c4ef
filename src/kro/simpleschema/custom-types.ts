import { phrase } from '../../core/diagnostics/index.ts';
import { inOrder } from '../../core/model/order.ts';
import { isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { shownPath } from '../../core/text/clip.ts';
import type { SchemaBudget } from './budget.ts';
import { buildField, buildStruct, type CustomType, type TypeContext } from './build.ts';
import { parseType } from './type-expression.ts';

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

/**
 * Builds the types under `spec.schema.types`, each before the types that use it, in any order of the input (kro:
 * loadCustomTypes). A cycle of types is reported once. Unused types are built too.
 */
export function customTypes(types: ValueMap, report: TypeContext['report'], budget: SchemaBudget): TypeContext {
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
