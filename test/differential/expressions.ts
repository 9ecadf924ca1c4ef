import type { Draw } from './draw.ts';
import { drawnValue, isList, isMapType, isStruct, keys, names, sameType, strings, type Type } from './types.ts';

/** Something that an expression may name. */
export interface Variable {
  path: string;
  type: Type;
  /** Reading it may fail. */
  optional: boolean;
}

/** Variables and everything that can be read below them. */
export function reachable(variables: readonly Variable[], depth = 3): Variable[] {
  const all: Variable[] = [];
  const visit = (one: Variable, left: number): void => {
    all.push(one);
    if (left === 0 || !isStruct(one.type)) return;
    for (const [name, field] of Object.entries(one.type.fields)) {
      const step = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `["${name}"]`;
      visit({ path: one.path + step, type: field.type, optional: one.optional || field.optional }, left - 1);
    }
  };
  for (const one of variables) visit(one, depth);
  return all;
}

export interface Scope {
  variables: readonly Variable[];
  /** How many macro variables surround an expression. */
  nested: number;
}

const quote = (text: string): string => JSON.stringify(text);

/** An expression of a type; a few of a thousand have another one. */
export function expressionOf(draw: Draw, scope: Scope, type: Type, depth: number): string {
  if (draw.int(1, 500) === 1)
    return expressionOf(draw, scope, draw.pick<Type>(['string', 'int', 'bool', { list: 'string' }]), depth);
  const known = scope.variables.filter((one) => sameType(one.type, type));
  if (known.length > 0 && draw.chance(depth === 0 ? 75 : 40)) return reading(draw, draw.pick(known), type);
  if (depth === 0) return literalOf(draw, type);
  const below = (other: Type): string => expressionOf(draw, scope, other, depth - 1);
  if (draw.chance(10)) return `(${below('bool')} ? ${below(type)} : ${below(type)})`;
  if (draw.chance(3)) return `cel.bind(v${scope.nested}, ${below(type)}, v${scope.nested})`;
  if (type === 'string') return stringOf(draw, below, depth);
  if (type === 'int') return intOf(draw, scope, below);
  if (type === 'bool') return boolOf(draw, scope, below, depth);
  if (type === 'double')
    return draw.pick([
      () => `double(${below('int')})`,
      () => `(${below('double')} + ${below('double')})`,
      () => literalOf(draw, type),
    ])();
  if (isList(type)) return listOf(draw, scope, type.list, below, depth);
  if (isMapType(type)) return mapOf(draw, scope, type.map, below, depth);
  return literalOf(draw, type);
}

function reading(draw: Draw, one: Variable, type: Type): string {
  if (!one.optional || draw.chance(25)) return one.path;
  const cut = one.path.lastIndexOf('.');
  if (cut < 0 || draw.chance(25))
    return cut < 0 ? one.path : `(has(${one.path}) ? ${one.path} : ${literalOf(draw, type)})`;
  // One optional step makes all that follow optional.
  const first = one.path.indexOf('.', one.path.indexOf('spec'));
  const at = draw.chance(50) && first > 0 ? first : cut;
  return `${one.path.slice(0, at)}.?${one.path.slice(at + 1)}.orValue(${literalOf(draw, type)})`;
}

export function literalOf(draw: Draw, type: Type): string {
  if (type === 'string') return quote(draw.pick(draw.chance(60) ? names : strings));
  if (type === 'int' || type === 'bool') return JSON.stringify(drawnValue(draw, type));
  if (type === 'double') return draw.pick(['0.5', '1.5', '-2.25', '3.0', '1e3']);
  if (type === 'dyn') return `dyn(${literalOf(draw, draw.pick<Type>(['string', 'int']))})`;
  if (isList(type))
    return `[${draw.times(isStruct(type.list) ? 0 : 1, isStruct(type.list) ? 0 : 3, () => literalOf(draw, type.list)).join(', ')}]`;
  if (isMapType(type))
    return isStruct(type.map)
      ? '{}'
      : `{${draw.times(1, 2, (i) => `${quote(keys[i] ?? 'k')}: ${literalOf(draw, type.map)}`).join(', ')}}`;
  return `{${Object.entries(type.fields)
    .filter(([, field]) => !field.optional || draw.chance(40))
    .map(([name, field]) => `${quote(name)}: ${literalOf(draw, field.type)}`)
    .join(', ')}}`;
}

type Below = (type: Type) => string;

function stringOf(draw: Draw, below: Below, depth: number): string {
  const method = draw.pick([
    'lowerAscii()',
    'upperAscii()',
    'trim()',
    'reverse()',
    'charAt(0)',
    'substring(0)',
    'substring(1)',
    'replace("a", "b")',
    'replace("e", "", 1)',
    'split("")[0]',
    'quote_',
    'format',
  ]);
  return draw.pick<() => string>([
    () => `(${below('string')} + ${below('string')})`,
    () => `string(${below(draw.pick<Type>(['int', 'bool', 'double', 'string']))})`,
    () => `${below('string')}.${method === 'quote_' || method === 'format' ? 'trim()' : method}`,
    () => `"%s-%d".format([${below('string')}, ${below('int')}])`,
    () => `"%s/%.2f".format([${below('bool')}, ${below('double')}])`,
    () => `${below({ list: 'string' })}.join(${draw.pick(['","', '"-"', ''])})`,
    () => `json.marshal(${below(draw.pick<Type>(['string', 'int', { list: 'string' }, { map: 'string' }, 'dyn']))})`,
    () => `base64.encode(bytes(${below('string')}))`,
    () => `base64.encode(hash.sha256(${below('string')}))`,
    () => `(${below({ list: 'string' })} + [${quote(draw.pick(names))}])[0]`,
    () => `${below({ map: 'string' })}[?${quote(draw.pick(keys))}].orValue(${below('string')})`,
    () => `optional.of(${below('string')}).orValue("none")`,
    () => `optional.ofNonZeroValue(${below('string')}).orValue("zero")`,
    () => `${below({ list: 'string' })}.sort()[?0].orValue(${quote('no')})`,
    () => `${below({ list: 'string' })}.first().orValue("f")`,
    () => (depth > 1 ? `string(${below(draw.pick<Type>([{ list: 'int' }]))}.size())` : below('string')),
    () => `random.seededString(${draw.int(1, 8)}, ${below('string')})`,
    () => `string(quantity(${draw.pick(['"1Gi"', '"500m"', '"2k"', below('string')])}).isGreaterThan(quantity("1")))`,
    () =>
      `string(timestamp("2024-02-03T04:05:06Z").${draw.pick(['getFullYear()', 'getDayOfYear()', 'getHours("+02:00")', 'getDayOfWeek()'])})`,
    () => `string(duration("${draw.pick(['1h30m', '90s', '1.5s', '0s', '-2m'])}"))`,
    () =>
      `url("https://${draw.pick(names)}.example.com:80/p?q=1").${draw.pick(['getHost()', 'getScheme()', 'getEscapedPath()', 'getPort()'])}`,
  ])();
}

function intOf(draw: Draw, scope: Scope, below: Below): string {
  return draw.pick<() => string>([
    () => `(${below('int')} ${draw.pick(['+', '-', '*'])} ${below('int')})`,
    () => `(${below('int')} ${draw.pick(['/', '%'])} ${draw.pick(['2', '3', below('int')])})`,
    () => `size(${below(draw.pick<Type>(['string', { list: 'string' }, { map: 'string' }]))})`,
    () => `${below('string')}.size()`,
    () => `int(${draw.pick(['"42"', '"7"', below('string'), below('double')])})`,
    () => `${below('string')}.indexOf(${quote(draw.pick(['a', '', 'et']))})`,
    () => `-${below('int')}`,
    () => `${below({ list: 'int' })}.sum()`,
    () => `${below({ list: 'string' })}.filter(v${scope.nested}, v${scope.nested}.size() > 1).size()`,
    () => `[${below('int')}, ${below('int')}].max()`,
    () => `int(json.unmarshal("[1,2]")[0])`,
  ])();
}

function boolOf(draw: Draw, scope: Scope, below: Below, depth: number): string {
  const some = draw.pick<Type>(['string', 'int', 'bool', 'double', { list: 'string' }, { map: 'string' }]);
  const number = draw.pick<Type>(['int', 'string', 'double']);
  const inner = (type: Type): string => {
    const name = `v${scope.nested}`;
    const variables = [...scope.variables, { path: name, type, optional: false }];
    return expressionOf(draw, { variables, nested: scope.nested + 1 }, 'bool', Math.max(0, depth - 2));
  };
  const optional = scope.variables.filter((one) => one.optional && one.path.includes('.'));
  return draw.pick<() => string>([
    () => `${below(some)} ${draw.pick(['==', '!='])} ${below(some)}`,
    () => `${below(number)} ${draw.pick(['<', '<=', '>', '>='])} ${below(number)}`,
    () => `(${below('bool')} ${draw.pick(['&&', '||'])} ${below('bool')})`,
    () => `!${below('bool')}`,
    () =>
      `${below('string')}.${draw.pick(['startsWith("a")', 'endsWith("a")', 'contains("e")', 'matches("^[a-z-]+$")'])}`,
    () => `${below('string')} in ${below({ list: 'string' })}`,
    () => `${quote(draw.pick(keys))} in ${below({ map: 'string' })}`,
    () =>
      `${below({ list: 'string' })}.${draw.pick(['all', 'exists', 'exists_one'])}(v${scope.nested}, ${inner('string')})`,
    () => `${below({ map: 'int' })}.${draw.pick(['all', 'exists'])}(v${scope.nested}, ${inner('string')})`,
    () =>
      `${below({ list: 'string' })}.${draw.pick(['all', 'exists', 'existsOne'])}(i, v${scope.nested}, i < 2 && ${inner('string')})`,
    () => (optional.length > 0 ? `has(${draw.pick(optional).path})` : 'true'),
    () => `dyn(${below(some)}) == dyn(${below(some)})`,
    () => `isQuantity(${below('string')})`,
    () => `${below({ list: 'int' })}.isSorted()`,
    () => `optional.of(${below('int')}).hasValue()`,
  ])();
}

function listOf(draw: Draw, scope: Scope, item: Type, below: Below, depth: number): string {
  const name = `v${scope.nested}`;
  const scoped = (variable: Type, type: Type): string => {
    const variables = [...scope.variables, { path: name, type: variable, optional: false }];
    return expressionOf(draw, { variables, nested: scope.nested + 1 }, type, Math.max(0, depth - 2));
  };
  const options: (() => string)[] = [
    () => `[${draw.times(0, 3, () => below(item)).join(', ')}]`,
    () => `(${below({ list: item })} + ${below({ list: item })})`,
    () => `${below({ list: 'string' })}.map(${name}, ${scoped('string', item)})`,
    () => `${below({ list: 'int' })}.map(${name}, ${scoped('int', 'bool')}, ${scoped('int', item)})`,
    () => `${below({ map: 'string' })}.map(${name}, ${scoped('string', item)})`,
    () => `${below({ list: 'string' })}.transformList(i, ${name}, ${scoped('string', item)})`,
    () => `${below({ list: item })}.filter(${name}, ${scoped(item, 'bool')})`,
    () => `${below({ list: item })}.slice(0, ${draw.pick(['0', '1', `size(${below({ list: item })})`])})`,
    () => `${below({ list: item })}.distinct()`,
    () => `${below({ list: item })}.reverse()`,
    () => `[${below({ list: item })}, ${below({ list: item })}].flatten()`,
    () => `[?optional.of(${below(item)}), ${below(item)}]`,
  ];
  if (item === 'string') {
    options.push(() => `${below('string')}.split(${draw.pick(['"-"', '""', '","'])})`);
    options.push(() => `${below({ list: 'string' })}.sort()`);
    options.push(() => `${below('string')}.findAll("[a-z]+")`);
  }
  if (item === 'int')
    options.push(
      () => `lists.range(${draw.int(0, 4)})`,
      () => `${below({ list: 'int' })}.sort()`,
    );
  return draw.pick(options)();
}

function mapOf(draw: Draw, scope: Scope, value: Type, below: Below, depth: number): string {
  const name = `v${scope.nested}`;
  const scoped = (type: Type): string => {
    const variables = [...scope.variables, { path: name, type: 'string' as const, optional: false }];
    return expressionOf(draw, { variables, nested: scope.nested + 1 }, type, Math.max(0, depth - 2));
  };
  return draw.pick<() => string>([
    () => `{${draw.times(0, 3, (i) => `${quote(keys[i] ?? 'k')}: ${below(value)}`).join(', ')}}`,
    () => `${below({ map: value })}.merge(${below({ map: value })})`,
    () => `${below({ list: 'string' })}.transformMapEntry(i, ${name}, {${name} + string(i): ${scoped(value)}})`,
    () => `${below({ map: value })}.transformMap(k, ${name}, ${name})`,
    () => `{?"opt": optional.of(${below(value)}), "k": ${below(value)}}`,
    () => `{${below('string')}: ${below(value)}}`,
  ])();
}
