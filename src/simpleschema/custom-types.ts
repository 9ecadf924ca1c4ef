import { isMap, type Value, type ValueMap } from '../model/value.ts';
import { buildField, buildStruct, type CustomType, type TypeContext } from './build.ts';

/**
 * Builds the types under `spec.schema.types`, each before the types that use it, whatever the order written (kro:
 * loadCustomTypes). Types that refer to each other in a circle are reported once. Types that nobody uses are built too.
 */
export function customTypes(types: ValueMap, report: TypeContext['report']): TypeContext {
  const built = new Map<string, CustomType | 'broken'>();
  const trail: string[] = [];
  const context: TypeContext = { resolve, customTypeNames: Object.keys(types), report };

  function resolve(name: string): CustomType | 'unknown' | 'broken' {
    const known = built.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(types, name)) return 'unknown';
    if (trail.includes(name)) {
      reportCycle([...trail.slice(trail.indexOf(name)), name]);
      return 'broken';
    }
    trail.push(name);
    const type = buildType(name, types[name] as Value, context);
    trail.pop();
    // A type of a circle was marked broken while it was being built.
    if (!built.has(name)) built.set(name, type);
    return built.get(name) ?? 'broken';
  }

  function reportCycle(cycle: readonly string[]): void {
    for (const name of cycle) built.set(name, 'broken');
    const message = `the types refer to each other in a circle: ${cycle.join(' -> ')}`;
    report({ code: 'type-cycle', message, path: ['types', cycle[0] ?? ''], hint: 'break it with the type object' });
  }

  for (const name of context.customTypeNames) resolve(name);
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
  return schema === undefined || broken ? 'broken' : { schema, required };
}
