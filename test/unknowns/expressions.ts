import type { Draw } from '../differential/draw.ts';
import { expressionOf, quote, reachable, type Variable } from '../differential/expressions.ts';
import { type Field, isList, isMapType, isStruct, sameType, type Type } from '../differential/types.ts';

/*
 * Random expressions over variables of which parts are unknown. Those of `npm run differential` are drawn too; these have
 * more of what treats an unknown operand in its own way: operators, optionals, containers and loops.
 */

const field = (type: Type, optional = false): Field => ({ type, optional });

const object: Type = {
  fields: {
    flag: field('bool'),
    count: field('int'),
    ratio: field('double'),
    name: field('string'),
    hint: field('string', true),
    tags: field({ list: 'string' }),
    ports: field({ list: 'int' }),
    labels: field({ map: 'string' }),
    limits: field({ map: 'int' }),
    box: field({
      fields: { width: field('int'), title: field('string', true), tags: field({ list: 'string' }, true) },
    }),
    boxes: field({ list: { fields: { width: field('int'), title: field('string', true) } } }),
    grid: field({ list: { list: 'string' } }),
    free: field('dyn', true),
  },
};

/** The variables of all expressions. */
export const VARIABLES: Readonly<Record<string, Type>> = {
  u: object,
  w: object,
  names: { list: 'string' },
  on: 'bool',
  n: 'int',
};

const known: readonly Variable[] = reachable(
  Object.entries(VARIABLES).map(([path, type]) => ({ path, type, optional: false })),
);

/** What an expression is drawn from. */
interface Scope {
  draw: Draw;
  variables: readonly Variable[];
  /** The number of surrounding macros, which is in the names of their variables. */
  nested: number;
}

/** Returns an expression of any type, mostly of a boolean. */
export function partialExpression(draw: Draw): string {
  const types: Type[] = [
    'bool',
    'bool',
    'bool',
    'int',
    'string',
    { list: 'string' },
    { list: 'int' },
    { map: 'string' },
  ];
  const scope: Scope = { draw, variables: known, nested: 0 };
  return expression(scope, draw.pick(types), draw.int(1, 4));
}

function expression(scope: Scope, type: Type, depth: number): string {
  const { draw, variables, nested } = scope;
  if (draw.chance(12)) return expressionOf(draw, { variables, nested }, type, Math.min(depth, 2));
  if (draw.chance(4)) return failing(draw, type);
  if (depth <= 0 || draw.chance(15)) return leaf(scope, type);
  if (draw.chance(10)) return chosen(scope, type, depth);
  if (draw.chance(5)) return bound(scope, type, depth);
  if (type === 'bool') return boolean(scope, depth);
  if (type === 'int') return integer(scope, depth);
  if (type === 'string') return text(scope, depth);
  if (isList(type)) return list(scope, type.list, depth);
  if (isMapType(type)) return map(scope, type.map, depth);
  return leaf(scope, type);
}

/** An expression that the checker accepts, and that fails. */
function failing(draw: Draw, type: Type): string {
  const texts = ['u.no.such', 'w.no', 'u["no"]', 'w.tags[99]', 'dyn([])[0]', 'dyn({})["a"]'];
  if (type === 'bool') texts.push('1 / 0 == 1', 'int("x") > 0');
  if (type === 'int') texts.push('1 / 0', 'int("x")', '[1][7]');
  if (type === 'string') texts.push('string(1 / 0)', '["a"][3]');
  return draw.pick(texts);
}

function leaf(scope: Scope, type: Type): string {
  const { draw, variables } = scope;
  const options = variables.filter((one) => sameType(one.type, type));
  if (options.length === 0 || draw.chance(15)) return literal(draw, type);
  const { path } = draw.pick(options);
  return draw.chance(15) ? optionalRead(scope, path, type) : path;
}

function optionalRead({ draw }: Scope, path: string, type: Type): string {
  const at = path.lastIndexOf('.');
  if (at < 0) return path;
  const optional = `${path.slice(0, at)}.?${path.slice(at + 1)}`;
  return draw.pick([
    `${optional}.orValue(${literal(draw, type)})`,
    `${optional}.or(${optional}).orValue(${literal(draw, type)})`,
    `${optional}.value()`,
    `${optional}.optMap(o, o).orValue(${literal(draw, type)})`,
  ]);
}

function literal(draw: Draw, type: Type): string {
  if (type === 'bool') return draw.pick(['true', 'false']);
  if (type === 'int') return String(draw.int(-1, 3));
  if (type === 'double') return '1.5';
  if (type === 'string') return quote(draw.pick(['a', 'alpha', 'beta', 'web', 'team']));
  if (isList(type)) return `[${draw.times(0, 2, () => literal(draw, type.list)).join(', ')}]`;
  if (isMapType(type))
    return `{${draw.times(0, 2, (index) => `"${'ab'[index]}": ${literal(draw, type.map)}`).join(', ')}}`;
  if (isStruct(type)) return '{"width": 1}';
  return 'null';
}

function chosen(scope: Scope, type: Type, depth: number): string {
  const { draw } = scope;
  const condition = expression(scope, 'bool', depth - 1);
  return `(${condition} ? ${expression(scope, type, depth - 1)} : ${draw.chance(20) ? failing(draw, type) : expression(scope, type, depth - 1)})`;
}

function bound(scope: Scope, type: Type, depth: number): string {
  const { draw, variables, nested } = scope;
  const of = draw.pick(variables).type;
  const name = `b${nested}`;
  const inner: Scope = {
    draw,
    nested: nested + 1,
    variables: [...variables, ...reachable([{ path: name, type: of, optional: false }], 1)],
  };
  return `cel.bind(${name}, ${expression(scope, of, depth - 1)}, ${expression(inner, type, depth - 1)})`;
}

function withVariables({ draw, variables, nested }: Scope, ...added: (readonly [string, Type])[]): Scope {
  const paths = added.map(([path, type]) => ({ path, type, optional: false }));
  // Variables of a loop are drawn as often as all others together.
  const own = reachable(paths, 1);
  const often = Array.from({ length: Math.ceil(variables.length / (own.length * 2)) }, () => own).flat();
  return { draw, nested: nested + 1, variables: [...variables, ...often] };
}

/** A range of a loop: its expression, and the types of an item and of a key. */
function range(scope: Scope, depth: number): { of: string; item: Type; key: Type; isMap: boolean } {
  const { draw, variables } = scope;
  const containers = variables.filter(({ type }) => isList(type) || isMapType(type));
  const { type } = draw.pick(containers.length > 0 ? containers : known.filter((one) => isList(one.type)));
  const of = expression(scope, type, depth - 1);
  if (isMapType(type)) return { of, item: type.map, key: 'string', isMap: true };
  return { of, item: isList(type) ? type.list : 'dyn', key: 'int', isMap: false };
}

function boolean(scope: Scope, depth: number): string {
  const { draw, nested } = scope;
  const of = (type: Type): string => expression(scope, type, depth - 1);
  const operand = (): string => (draw.chance(25) ? failing(draw, 'bool') : of('bool'));
  const anyType = draw.pick<Type>(['bool', 'int', 'string', { list: 'string' }, { list: 'int' }, { map: 'int' }]);
  return draw.pick([
    () => `(${operand()} ${draw.pick(['&&', '||'])} ${operand()})`,
    () => `(${operand()} ${draw.pick(['&&', '||'])} ${operand()})`,
    () => `(${operand()} && ${operand()} && ${operand()})`,
    () => `(${operand()} || ${operand()} || ${operand()})`,
    () => `!${of('bool')}`,
    () => `(${of(anyType)} ${draw.pick(['==', '!='])} ${of(anyType)})`,
    () => `(${of('int')} ${draw.pick(['<', '<=', '>', '>='])} ${of('int')})`,
    () => presence(scope),
    () => `(${of('string')} in ${of({ list: 'string' })})`,
    () => `(${of('string')} in ${of({ map: 'int' })})`,
    () => `${of('string')}.${draw.pick(['startsWith', 'endsWith', 'contains', 'matches'])}(${of('string')})`,
    () => `${of({ list: 'int' })}.isSorted()`,
    () => loop(scope, depth, draw.pick(['all', 'exists', 'exists_one'])),
    () => loop(scope, depth, draw.pick(['all', 'exists', 'exists_one'])),
    () => loop2(scope, depth, draw.pick(['all', 'exists', 'existsOne'])),
    () => `optional.of(${of('bool')}).optMap(o${nested}, !o${nested}).orValue(${operand()})`,
    () => `u.?${draw.pick(['flag', 'no'])}.${draw.pick(['hasValue()', 'or(w.?flag).orValue(true)'])}`,
  ])();
}

function presence({ draw, variables }: Scope): string {
  const options = variables.filter(({ path }) => /\.\w+$/.test(path));
  const { path } = draw.pick(options);
  return draw.chance(25) ? `has(${path.slice(0, path.lastIndexOf('.'))}.no)` : `has(${path})`;
}

function loop(scope: Scope, depth: number, name: string): string {
  const { of, item, isMap } = range(scope, depth);
  const variable = `i${scope.nested}`;
  const inner = withVariables(scope, [variable, isMap ? 'string' : item]);
  return `${of}.${name}(${variable}, ${expression(inner, 'bool', depth - 1)})`;
}

function loop2(scope: Scope, depth: number, name: string): string {
  const { of, item, key } = range(scope, depth);
  const one = `k${scope.nested}`;
  const two = `v${scope.nested}`;
  const inner = withVariables(scope, [one, key], [two, item]);
  return `${of}.${name}(${one}, ${two}, ${expression(inner, 'bool', depth - 1)})`;
}

function integer(scope: Scope, depth: number): string {
  const { draw } = scope;
  const of = (type: Type): string => expression(scope, type, depth - 1);
  return draw.pick([
    () => `(${of('int')} ${draw.pick(['+', '-', '*', '/', '%'])} ${of('int')})`,
    () => `size(${of(draw.pick<Type>(['string', { list: 'int' }, { map: 'string' }, { list: 'string' }]))})`,
    () => `${of({ list: 'int' })}[${of('int')}]`,
    () => `${of({ list: 'int' })}[?${of('int')}].orValue(${of('int')})`,
    () => `${of({ map: 'int' })}[${of('string')}]`,
    () => `${of({ map: 'int' })}[?${of('string')}].orValue(${of('int')})`,
    () => `${of({ list: 'int' })}.${draw.pick(['sum', 'min', 'max'])}()`,
    () => `${of({ list: 'string' })}.indexOf(${of('string')})`,
    () => `${draw.pick(['u', 'w'])}.boxes[${of('int')}].width`,
    () => `(${of('bool')} ? u : w).box.width`,
    () => `(${of('bool')} ? u.ports : w.ports)[${of('int')}]`,
    () => `int(${of('string')})`,
    () => `${of({ list: 'int' })}.${draw.pick(['first', 'last'])}().orValue(${of('int')})`,
  ])();
}

function text(scope: Scope, depth: number): string {
  const { draw } = scope;
  const of = (type: Type): string => expression(scope, type, depth - 1);
  return draw.pick([
    () => `(${of('string')} + ${of('string')})`,
    () => `${of('string')}.${draw.pick(['upperAscii()', 'trim()', 'replace("a", "b")', 'substring(1)', 'charAt(0)'])}`,
    () => `string(${of('int')})`,
    () => `${of({ list: 'string' })}.join(",")`,
    () => `${of({ list: 'string' })}[${of('int')}]`,
    () => `${of({ map: 'string' })}[${of('string')}]`,
    () => `"%s-%d".format([${of('string')}, ${of('int')}])`,
    () => `${draw.pick(['u', 'w'])}.labels.?${draw.pick(['a', 'team', 'no'])}.orValue(${of('string')})`,
    () => `json.marshal(${of(draw.pick<Type>([{ list: 'int' }, { map: 'string' }]))})`,
  ])();
}

function list(scope: Scope, item: Type, depth: number): string {
  const { draw, nested } = scope;
  const same: Type = { list: item };
  const of = (type: Type): string => expression(scope, type, depth - 1);
  const variable = `i${nested}`;
  const overSame = withVariables(scope, [variable, item]);
  const inside = (type: Type): string => expression(overSame, type, depth - 1);
  return draw.pick([
    () => `[${draw.times(1, 3, () => of(item)).join(', ')}]`,
    () => `[?optional.of(${of(item)}), ${of(item)}, ?u.?no]`,
    () => `(${of(same)} + ${of(same)})`,
    () => `${of(same)}.filter(${variable}, ${inside('bool')})`,
    () => `${of(same)}.map(${variable}, ${inside(item)})`,
    () => `${of(same)}.map(${variable}, ${inside('bool')}, ${inside(item)})`,
    () => `${of(same)}.${draw.pick(['reverse()', 'distinct()', 'sort()', 'slice(0, 1)'])}`,
    () => `[${of(same)}, ${of(same)}].flatten()`,
    () => transformed(scope, 'transformList', item, depth),
  ])();
}

function map(scope: Scope, value: Type, depth: number): string {
  const { draw } = scope;
  const of = (type: Type): string => expression(scope, type, depth - 1);
  return draw.pick([
    () => `{"a": ${of(value)}, ${draw.chance(30) ? `${of('string')}: ${of(value)}` : `"b": ${of(value)}`}}`,
    () => `{?"a": optional.of(${of(value)}), ?"b": u.?no}`,
    () => transformed(scope, 'transformMap', value, depth),
    () => transformed(scope, 'transformMap', value, depth),
  ])();
}

function transformed(scope: Scope, name: string, result: Type, depth: number): string {
  const { draw } = scope;
  const { of, item, key } = range(scope, depth);
  const one = `k${scope.nested}`;
  const two = `v${scope.nested}`;
  const inner = withVariables(scope, [one, key], [two, item]);
  const filter = draw.chance(50) ? `${expression(inner, 'bool', depth - 1)}, ` : '';
  return `${of}.${name}(${one}, ${two}, ${filter}${expression(inner, result, depth - 1)})`;
}
