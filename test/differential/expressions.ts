import type { Draw } from './draw.ts';
import {
  drawnInteger,
  drawnKey,
  drawnString,
  drawnValue,
  isList,
  isMapType,
  isStruct,
  keys,
  names,
  sameType,
  type Type,
} from './types.ts';

/** A variable that an expression may name. */
export interface Variable {
  path: string;
  type: Type;
  /** Reading it may fail. */
  optional: boolean;
}

/** Returns variables and all paths below them. */
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
  /** The number of surrounding macro variables. */
  nested: number;
}

export const quote = (text: string): string => JSON.stringify(text);

/** Returns an expression of a type; a few of a thousand have another one. */
export function expressionOf(draw: Draw, scope: Scope, type: Type, depth: number): string {
  if (draw.int(1, 1200) === 1)
    return expressionOf(draw, scope, draw.pick<Type>(['string', 'int', 'bool', { list: 'string' }]), depth);
  const part = draw.chance(9) ? partReading(draw, scope, type) : undefined;
  if (part !== undefined) return part;
  const known = scope.variables.filter((one) => sameType(one.type, type));
  if (known.length > 0 && draw.chance(depth === 0 ? 75 : 40)) return reading(draw, draw.pick(known), type);
  if (depth === 0) return literalOf(draw, type);
  const below = (other: Type): string => expressionOf(draw, scope, other, depth - 1);
  if (draw.chance(10)) return `(${below('bool')} ? ${below(type)} : ${below(type)})`;
  if (draw.chance(3)) return `cel.bind(v${scope.nested}, ${below(type)}, v${scope.nested})`;
  if (type === 'string') return stringOf(draw, scope, below, depth);
  if (type === 'dyn' && draw.chance(60)) return anyOf(draw, scope, below);
  if (type === 'int') return intOf(draw, scope, below);
  if (type === 'bool') return boolOf(draw, scope, below, depth);
  if (type === 'double')
    return draw.pick([
      () => `double(${below('int')})`,
      () => `(${below('double')} + ${below('double')})`,
      () => `${quantityOf(draw, below)}.asApproximateFloat()`,
      () => `double(${draw.pick(['"1.5"', '"-0"', '"1e3"', below('string')])})`,
      () => literalOf(draw, type),
    ])();
  if (isList(type)) return listOf(draw, scope, type.list, below, depth);
  if (isMapType(type)) return mapOf(draw, scope, type.map, below, depth);
  return literalOf(draw, type);
}

/** Returns a read by index or key, a size, or a value as a whole; undefined if there is none of that type. */
function partReading(draw: Draw, scope: Scope, type: Type): string | undefined {
  const options: (() => string)[] = [];
  const fallback = (): string => literalOf(draw, type);
  for (const one of scope.variables) {
    const { path, type: of } = one;
    if (isList(of)) {
      const at = draw.int(0, 2);
      if (sameType(of.list, type)) {
        options.push(() => `${path}[${at}]`);
        options.push(() => `${path}[?${at}].orValue(${fallback()})`);
        options.push(() => `${path}.last().orValue(${fallback()})`);
      }
      if (isList(of.list) && sameType(of.list.list, type)) options.push(() => `${path}[${at}][${draw.int(0, 1)}]`);
      if (isStruct(of.list)) {
        const field = Object.entries(of.list.fields).find(([, { type: inner }]) => sameType(inner, type));
        if (field !== undefined) options.push(() => `${path}[${at}].${field[0]}`);
        if (field !== undefined) options.push(() => `${path}[?${at}].?${field[0]}.orValue(${fallback()})`);
      }
    }
    if (isMapType(of) && sameType(of.map, type)) {
      options.push(() => `${path}[${quote(draw.pick(keys))}]`);
      options.push(() => `${path}.?${draw.pick(['a', 'team'])}.orValue(${fallback()})`);
    }
    if (type === 'int' && (isList(of) || isMapType(of) || of === 'string'))
      options.push(() => draw.pick([`size(${path})`, `${path}.size()`]));
    if (type === 'bool' && one.optional && path.includes('.')) options.push(() => `has(${path})`);
    // A whole node is rarer than its parts: what a cluster adds to it is pending here.
    const isNode = !path.includes('.') && path !== 'schema';
    const isWhole = isNode || /^\w+\.metadata$/.test(path);
    if (type === 'dyn' && (!isWhole || draw.chance(30))) options.push(() => `dyn(${path})`);
    if (type === 'string' && (!isWhole || draw.chance(12))) options.push(() => `json.marshal(${path})`);
  }
  return options.length === 0 ? undefined : draw.pick(options)();
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
  if (type === 'string') return quote(drawnString(draw));
  if (type === 'int') return String(drawnInteger(draw));
  if (type === 'bool') return draw.pick(['true', 'false']);
  if (type === 'double')
    return draw.pick(['0.5', '1.5', '-2.25', '3.0', '1e3', '9007199254740992.0', '1e19', '0.1', '-0.0']);
  if (type === 'dyn')
    return draw.pick([() => 'dyn(null)', () => `dyn(${literalOf(draw, draw.pick<Type>(['string', 'int']))})`])();
  if (type === 'bytes') return draw.pick(['b"a"', 'bytes("Ünï")', String.raw`b"\xff\x00"`, 'b""']);
  if (type === 'timestamp' || type === 'duration') return `${type}(${quote(String(drawnValue(draw, type)))})`;
  if (isList(type))
    return `[${draw.times(isStruct(type.list) ? 0 : 1, isStruct(type.list) ? 0 : 3, () => literalOf(draw, type.list)).join(', ')}]`;
  if (isMapType(type))
    return isStruct(type.map)
      ? '{}'
      : `{${draw.times(1, 2, (i) => `${quote(keyOf(draw, i))}: ${literalOf(draw, type.map)}`).join(', ')}}`;
  return `{${Object.entries(type.fields)
    .filter(([, field]) => !field.optional || draw.chance(40))
    .map(([name, field]) => `${quote(name)}: ${draw.chance(1) ? 'null' : literalOf(draw, field.type)}`)
    .join(', ')}}`;
}

const keyOf = (draw: Draw, index: number): string => (draw.chance(95) ? (keys[index] ?? 'k') : drawnKey(draw));

type Below = (type: Type) => string;

function stringOf(draw: Draw, scope: Scope, below: Below, depth: number): string {
  const name = `v${scope.nested}`;
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
    () => `string(${below(draw.pick<Type>(['timestamp', 'duration']))})`,
    () => `base64.encode(${below('bytes')})`,
    () => `string(base64.decode(${draw.pick(['"YQ=="', '"w7w="', below('string')])}))`,
    () => `(hash.${draw.pick(['fnv64a', 'md5'])}(${below('string')}).size() > 0 ? "x" : "y")`,
    () => `optional.of(${below('string')}).optMap(${name}, ${name} + "!").orValue("m")`,
    () => `optional.of(${below('string')}).optFlatMap(${name}, optional.ofNonZeroValue(${name})).orValue("fm")`,
    () => `${below({ list: 'string' })}.sortBy(${name}, ${draw.pick([`${name}.size()`, name])})[?0].orValue("s")`,
    () => `json.marshal(${below({ list: 'string' })}.distinct())`,
    () => `cel.bind(${name}, ${below('dyn')}, json.marshal(${name}))`,
    () => `"%s|%s|%d".format([${below('dyn')}, ${below('dyn')}, ${below('int')}])`,
    () => `string(type(${below('dyn')}) == type(${below(draw.pick<Type>(['string', 'int', 'dyn', 'bytes']))}))`,
    () => `strings.quote(${below('string')})`,
    () => `(${below('string')}.${draw.pick(['lastIndexOf("a")', 'indexOf("a", 1)'])} >= 0 ? "in" : "out")`,
    () => `string(ip(${draw.pick(['"10.0.0.1"', '"::ffff:1.2.3.4"', '"fe80::1"', below('string')])}))`,
    () => `string(semver(${draw.pick(['"1.2.3"', '"1.0.0-rc.1+b"', below('string')])}).major())`,
    () => `string(cidr("10.0.0.0/${draw.int(0, 32)}").masked())`,
    () =>
      `string(${quantityOf(draw, below)}.${draw.pick([`add(${quantityOf(draw, below)})`, `sub(${quantityOf(draw, below)})`, 'add(3)', 'sub(2)'])}.isGreaterThan(quantity("1")))`,
    () => `string(cidr("${draw.pick(['10.1.2.3/8', '2001:db8::/32'])}").ip())`,
    () =>
      `url("https://${draw.pick(names)}.example.com:80/p%20q?q=1&r=2").${draw.pick(['getHostname()', 'getQuery()["q"][0]'])}`,
    () => `(${below('string')}.endsWith("a") ? ${below('string')}.find("[a-z]+") : "none")`,
    () => `optional.none().or(optional.of(${below('string')})).value()`,
    () => `string(bytes(${below('string')}))`,
    () => `json.encode(${below(draw.pick<Type>(['string', 'int', 'bool']))})`,
    () => `json.encode({"a": ${below('string')}})`,
    () => `[${below('string')}, ${below('string')}].${draw.pick(['max()', 'min()', 'last().value()'])}`,
    () => `string(hash.sha256(${below('string')}).size())`,
    () => `string(bool(${draw.pick(['"true"', '"False"', below('string')])}))`,
  ])();
}

/** Returns a quantity, now and then of a text that is none. */
const quantityOf = (draw: Draw, below: Below): string =>
  `quantity(${draw.pick(['"1Gi"', '"500m"', '"2k"', '"-3"', '"0"', '"1.5"', '"10"', below('string')])})`;

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
    () => `int(json.unmarshal("${draw.pick(['9007199254740993', '-1', '1.5', '1e3', '9223372036854775808'])}"))`,
    () => `int(uint(${below('int')}))`,
    () => `int(${below('timestamp')})`,
    () => `${below('duration')}.${draw.pick(['getSeconds()', 'getMilliseconds()', 'getHours()'])}`,
    () => `random.seededInt(0, ${draw.pick(['9', '4294967296'])}, ${below('string')})`,
    () => `${below('string')}.lastIndexOf(${below('string')})`,
    () => `${below({ list: draw.pick<Type>(['int', 'string', 'dyn']) })}.distinct().size()`,
    () => `int(${draw.pick(['9007199254740993.0', '1e18', '"9007199254740993"', '"-9223372036854775808"'])})`,
    () => `${quantityOf(draw, below)}.${draw.pick(['asInteger()', 'sign()', `compareTo(${quantityOf(draw, below)})`])}`,
    () =>
      `semver(${draw.pick(['"1.2.3"', '"1.0.0-rc.1+b"'])}).${draw.pick(['minor()', 'patch()', 'major()', 'compareTo(semver("1.2.3-a"))'])}`,
    () => `ip(${draw.pick(['"10.0.0.1"', '"::1"', below('string')])}).family()`,
    () => `cidr(${draw.pick(['"10.0.0.0/8"', '"::/0"', below('string')])}).prefixLength()`,
    () => `${below({ list: 'int' })}.${draw.pick(['min()', 'max()', 'last().orValue(0)', 'first().orValue(1)'])}`,
    () =>
      `timestamp("2024-02-03T04:05:06.7Z").${draw.pick(['getMonth()', 'getDate()', 'getDayOfMonth()', 'getMinutes()', 'getSeconds()', 'getMilliseconds()', 'getDate("Asia/Tokyo")', 'getHours()'])}`,
    () =>
      `duration(${draw.pick(['"1h30m"', '"-90s"'])}).${draw.pick(['getMinutes()', 'getHours()', 'getSeconds()', 'getMilliseconds()'])}`,
    () => `optional.unwrap([optional.of(${below('int')}), optional.none()])[0]`,
    () => `[optional.none(), optional.of(${below('int')})].unwrapOpt().size()`,
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
    () => `dyn(${below(number)}) ${draw.pick(['<', '<=', '>', '>=', '=='])} dyn(${below(number)})`,
    () => `dyn(${below('int')}) ${draw.pick(['<', '<=', '>', '>=', '==', '!='])} ${below('double')}`,
    () => `dyn(${below('int')}) in ${below({ list: 'double' })}`,
    () => `${below('dyn')} == ${draw.pick(['null', below('dyn')])}`,
    () =>
      `${below(draw.pick<Type>(['timestamp', 'duration', 'bytes']))} == ${below(draw.pick<Type>(['timestamp', 'duration', 'bytes']))}`,
    () => `${below({ list: 'string' })}.exists(v${scope.nested}, v${scope.nested} == null)`,
    () => `isIP(${below('string')}) || isURL(${below('string')}) || isSemver(${below('string')})`,
    () => `cidr("10.0.0.0/8").containsIP(${draw.pick(['"10.1.2.3"', '"11.0.0.1"'])})`,
    () => `isQuantity(${below('string')})`,
    () => `ip.isCanonical(${draw.pick(['"10.0.0.1"', '"::FFFF"', '"2001:db8::0"', below('string')])})`,
    () =>
      `ip(${draw.pick(['"127.0.0.1"', '"fe80::1"', '"::"', '"224.0.0.1"', '"8.8.8.8"'])}).${draw.pick(['isLoopback()', 'isUnspecified()', 'isLinkLocalUnicast()', 'isLinkLocalMulticast()', 'isGlobalUnicast()'])}`,
    () => `isCIDR(${draw.pick(['"10.0.0.0/8"', '"10.0.0.1"', below('string')])})`,
    () => `cidr("10.0.0.0/8").containsCIDR(${draw.pick(['"10.1.0.0/16"', 'cidr("0.0.0.0/0")', '"::/8"'])})`,
    () => `${quantityOf(draw, below)}.${draw.pick(['isInteger()', `isLessThan(${quantityOf(draw, below)})`])}`,
    () => `${quantityOf(draw, below)} == ${quantityOf(draw, below)}`,
    () =>
      `semver(${draw.pick(['"1.2.3"', '"2.0.0"'])}).${draw.pick(['isLessThan', 'isGreaterThan'])}(semver(${draw.pick(['"1.2.3"', '"10.0.0"'])}))`,
    () => `${below('timestamp')} < ${below('timestamp')}`,
    () => `${below('duration')} >= ${below('duration')}`,
    () => `optional.none().hasValue() || optional.ofNonZeroValue(${below('int')}).hasValue()`,
    () => `bool(string(${below('bool')}))`,
    () => `uint(${below('int')}) >= 1u`,
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
    () => `[?optional.none(), ${below(item)}]`,
    () => `(${below({ list: item })} + ${below({ list: item })}).distinct()`,
    () => `cel.bind(${name}, ${below({ list: item })}, (${name} + ${name}).distinct())`,
    () => `${below({ list: item })}.sortBy(${name}, ${scoped(item, draw.pick<Type>(['int', 'string']))})`,
    () => `${below({ map: 'string' })}.transformList(k, ${name}, ${scoped('string', item)})`,
    () => `${below({ list: 'int' })}.transformList(i, ${name}, i > 0, ${scoped('int', item)})`,
    () => `optional.of(${below({ list: item })}).optMap(${name}, ${name} + ${name}).orValue([])`,
    () => `lists.${draw.pick(['setAtIndex', 'insertAtIndex'])}(${below({ list: item })}, 0, ${below(item)})`,
    () => `lists.removeAtIndex(${below({ list: item })}, 0)`,
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
    () => `${below({ map: value })}.transformMap(k, ${name}, k != "a", ${name})`,
    () => `${below({ map: value })}.transformMapEntry(k, ${name}, {k + "_": ${name}})`,
    () => `{${quote(drawnKey(draw))}: ${below(value)}}`,
    () => `${below({ map: value })}.deepMerge(${below({ map: value })})`,
    () => `cel.bind(${name}, ${below({ map: value })}, ${name}.merge(${name}))`,
  ])();
}

/** A value of dynamic type, including null. */
function anyOf(draw: Draw, scope: Scope, below: Below): string {
  const some = draw.pick<Type>(['string', 'int', 'bool', 'double', { list: 'string' }, { map: 'int' }, 'bytes']);
  const name = `v${scope.nested}`;
  return draw.pick<() => string>([
    () => 'null',
    () => `dyn(${below(some)})`,
    () => `(${below('bool')} ? dyn(null) : ${below('dyn')})`,
    () => `[dyn(null), ${below('dyn')}]`,
    () => `{"n": dyn(null), ${quote(drawnKey(draw))}: ${below('dyn')}}`,
    () =>
      `json.unmarshal(${draw.pick(['"null"', `'{"a":[1,null,9007199254740993],"b":{"c":1.0}}'`, '"[1,\\"x\\",2.5]"', `json.marshal(${below('dyn')})`])})`,
    () => `optional.of(${below('dyn')})`,
    () => `optional.none()`,
    () => `optional.of(${below('dyn')}).optMap(${name}, [${name}]).orValue([])`,
    () => `[${below('dyn')}, ${below(some)}].distinct()`,
    () => `{${quote(drawnKey(draw))}: dyn(${below(some)})}[?${quote(drawnKey(draw))}].orValue(null)`,
    () => `[[${below('int')}], ${below({ list: 'int' })}].flatten()`,
    () =>
      `${draw.pick(['quantity("1Gi")', 'ip("10.0.0.1")', 'semver("1.2.3")', 'url("https://a.b/c")', 'type(1)', 'cidr("10.0.0.0/8")'])}`,
    () => `(${below('bool')} ? omit() : ${below('dyn')})`,
  ])();
}
