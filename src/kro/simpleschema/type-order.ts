import { isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { parseType, type TypeExpression } from './type-expression.ts';

/**
 * Returns the names of types in build order: each after those that it uses. A cycle is reported, with its first name at
 * both ends. Not recursive, because chains may be long.
 */
export function typeOrder(types: ValueMap, onCycle: (cycle: readonly string[]) => void): readonly string[] {
  const order: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const root of Object.keys(types)) {
    if (state.has(root)) continue;
    const trail = [enter(root)];
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const next = top.uses.next();
      if (next.done === true) {
        state.set(top.name, 'done');
        order.push(top.name);
        trail.pop();
      } else if (state.get(next.value) === 'open') {
        const names = trail.map(({ name }) => name);
        const cycle = names.slice(names.indexOf(next.value));
        for (const name of cycle) state.set(name, 'done');
        onCycle([...cycle, next.value]);
      } else if (!state.has(next.value) && Object.hasOwn(types, next.value)) trail.push(enter(next.value));
    }
  }
  return order;

  function enter(name: string): { name: string; uses: Iterator<string> } {
    state.set(name, 'open');
    return { name, uses: namesIn(types[name] as Value) };
  }
}

/** Returns the custom types in the declaration of a type. */
function* namesIn(spec: Value): Generator<string> {
  if (typeof spec === 'string') {
    const bar = spec.indexOf('|');
    const type = parseType(bar < 0 ? spec : spec.slice(0, bar), () => {});
    const name = type && nameIn(type);
    if (name !== undefined) yield name;
  } else if (isMap(spec)) {
    for (const key of Object.keys(spec)) yield* namesIn(spec[key] as Value);
  }
}

function nameIn(type: TypeExpression): string | undefined {
  if (type.kind === 'list') return nameIn(type.element);
  if (type.kind === 'map') return nameIn(type.value);
  return type.kind === 'custom' ? type.name : undefined;
}
