import type { Draw } from './draw.ts';
import { expressionOf, reachable, type Scope, type Variable } from './expressions.ts';
import { drawnValue, type Field, type Json, type Type } from './types.ts';

export const metadataType: Type = {
  fields: {
    name: { type: 'string', optional: false },
    labels: { type: { map: 'string' }, optional: true },
    annotations: { type: { map: 'string' }, optional: true },
  },
};
export const always = (type: Type): Field => ({ type, optional: false });
export const sometimes = (type: Type): Field => ({ type, optional: true });

export const scopeOf = (variables: readonly Variable[]): Scope => ({ variables: reachable(variables), nested: 0 });

/** Returns a value of a field: a literal, one expression, or text around expressions. */
export function fieldOf(draw: Draw, scope: Scope, type: Type, depth = 2): Json {
  const roll = draw.int(1, 100);
  if (roll <= 20) return drawnValue(draw, type);
  if (type === 'string' && roll <= 40) {
    return `${draw.pick(['pre-', '', 'a b '])}\${${expressionOf(draw, scope, 'string', depth)}}${draw.pick(['', '-post', '/${"x"}'])}`;
  }
  return `\${${expressionOf(draw, scope, type, draw.int(0, depth))}}`;
}
