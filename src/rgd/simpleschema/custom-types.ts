import { isMap, type Value, type ValueMap } from '../../model/value.ts';
import { shownPath } from '../../text/clip.ts';
import { buildField, buildStruct, type CustomType, type TypeContext } from './build.ts';
import type { SchemaRoom } from './room.ts';
import { typeOrder } from './type-order.ts';

/**
 * Builds the types under `spec.schema.types`, each before the types that use it, whatever the order written (kro:
 * loadCustomTypes). Types that refer to each other in a circle are reported once. Types that nobody uses are built too.
 */
export function customTypes(types: ValueMap, report: TypeContext['report'], room: SchemaRoom): TypeContext {
  const built = new Map<string, CustomType | 'broken'>();
  const context: TypeContext = {
    resolve: (name) => built.get(name) ?? (Object.hasOwn(types, name) ? 'broken' : 'unknown'),
    customTypeNames: Object.keys(types),
    report,
    room,
  };
  const order = typeOrder(types, (cycle) => {
    for (const name of cycle) built.set(name, 'broken');
    const message = `the types refer to each other in a circle: ${shownPath(cycle)}`;
    report({ code: 'type-cycle', message, path: ['types', cycle[0] ?? ''], hint: 'break it with the type object' });
  });
  for (const name of order) if (!built.has(name)) built.set(name, buildType(name, types[name] as Value, context));
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
  const large = context.room.faultOf(schema);
  if (large === undefined) return { schema, required };
  context.report({ ...large, path });
  return 'broken';
}
