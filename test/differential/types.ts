import { fromPlain } from '../../src/api/plain.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import type { Draw } from './draw.ts';

/** The type of a value, as far as generators need to know it. */
export type Type =
  | 'string'
  | 'int'
  | 'bool'
  | 'double'
  | 'dyn'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | { list: Type }
  | { map: Type }
  | { fields: Readonly<Record<string, Field>> };

export interface Field {
  type: Type;
  /** The field may be missing. */
  optional: boolean;
}

/** JSON values in a package; integers beyond 2^53 are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };
export type JsonMap = { [key: string]: Json };

export const strings = [
  '',
  'a',
  'web',
  'blue-green',
  'Ünï',
  'a.b/c',
  '10',
  'true',
  'x y',
  '1Gi',
  '2024-01-02T03:04:05Z',
];
/** Characters with a special meaning in YAML, JSON, Go or JavaScript. */
const oddStrings = [
  '\u007f',
  'a\u0080b',
  'a\u0085b',
  '\u009f',
  'a\u2028b',
  '\u2029',
  '\ufeff',
  '\u0000',
  '\u001b[1m',
  'tab\there',
  'line\nbreak\n',
  '\r\n',
  ' padded ',
  '\u{1f600}',
  'e\u0301',
  '\ud7ff\ue000\uffff',
  '\\',
  '"',
  '<&>',
  '$',
  '{}',
  '~',
  'null',
  '- a: b',
  '0x1F',
  '1e3',
  'P1D',
];
export const names = ['alpha', 'beta', 'gamma', 'delta'];
export const keys = ['a', 'b', 'team', 'dash-key', 'dot.key', 'x/y'];
/** Keys that a path has to quote. */
const oddKeys = [
  '',
  'a[0]',
  '[0]',
  'a.b.c',
  'a"b',
  "it's",
  'a b',
  '0',
  'true',
  '__proto__',
  'namespace',
  '__dash__',
  'a]',
  '\u0085',
  '\u{1f600}',
  'b\\c',
  'constructor',
];
const integers = [0, 1, 2, 3, 7, -1, 80, 8080, 2147483647];
const largeIntegers = [
  2147483648,
  -2147483649,
  4294967296,
  9007199254740991,
  9007199254740992n,
  9007199254740993n,
  -9007199254740993n,
  9223372036854775807n,
  -9223372036854775807n,
  -9223372036854775808n,
];
const doubles = [0.5, 1.5, -2.25, 3, 100];
const oddDoubles = [0.1, 1e21, 1e-7, 123456789.125, 1.7976931348623157e308, 5e-324];
const bytes = ['', 'YQ==', 'aGVsbG8=', '//79', 'w7w='];
const timestamps = [
  '2024-01-02T03:04:05Z',
  '2024-02-29T12:00:00.5+02:00',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59Z',
  '2024-01-02t03:04:05z',
];
const durations = ['1h30m', '90s', '0s', '-2m', '1.5s', '1us', 'P1D', '3 minutes'];

export const isList = (type: Type): type is { list: Type } => typeof type === 'object' && 'list' in type;
export const isMapType = (type: Type): type is { map: Type } => typeof type === 'object' && 'map' in type;
export const isStruct = (type: Type): type is { fields: Readonly<Record<string, Field>> } =>
  typeof type === 'object' && 'fields' in type;

export function sameType(a: Type, b: Type): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export const drawnString = (draw: Draw): string => {
  const roll = draw.int(1, 100);
  return draw.pick(roll <= 60 ? names : roll <= 97 ? strings : oddStrings);
};
export const drawnKey = (draw: Draw): string => draw.pick(draw.chance(98) ? keys : oddKeys);
export const drawnInteger = (draw: Draw): Json => draw.pick<Json>(draw.chance(88) ? integers : largeIntegers);

/** Returns a value of a type; a few of a thousand optional fields are null. */
export function drawnValue(draw: Draw, type: Type): Json {
  if (type === 'string') return drawnString(draw);
  if (type === 'int') return drawnInteger(draw);
  if (type === 'bool') return draw.chance(50);
  if (type === 'double') return draw.pick(draw.chance(90) ? doubles : oddDoubles);
  if (type === 'dyn') return anything(draw, 2);
  if (type === 'bytes') return draw.pick(bytes);
  if (type === 'timestamp') return draw.pick(timestamps);
  if (type === 'duration') return draw.pick(durations);
  if (isList(type)) return distinct(draw.times(0, 3, () => drawnValue(draw, type.list)));
  if (isMapType(type)) {
    const entries = draw.times(0, 3, (): [string, Json] => [drawnKey(draw), drawnValue(draw, type.map)]);
    return Object.fromEntries(entries);
  }
  const fields: [string, Json][] = [];
  for (const [name, field] of Object.entries(type.fields)) {
    if (field.optional && draw.chance(2)) fields.push([name, null]);
    else if (!field.optional || draw.chance(60)) fields.push([name, drawnValue(draw, field.type)]);
  }
  return Object.fromEntries(fields);
}

/** A value of any type. */
export function anything(draw: Draw, depth: number): Json {
  const scalars: Type[] = ['string', 'int', 'bool', 'double'];
  if (depth === 0 || draw.chance(50)) return draw.chance(8) ? null : drawnValue(draw, draw.pick(scalars));
  if (draw.chance(50)) return draw.times(0, 3, () => anything(draw, depth - 1));
  return Object.fromEntries(draw.times(0, 3, () => [drawnKey(draw), anything(draw, depth - 1)]));
}

/** JSON text, with integers of any size. */
export const toText = (value: Json): string => toJsonText(fromPlain(value));

function distinct(values: Json[]): Json[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = toText(value);
    return seen.has(text) ? false : seen.add(text) !== undefined;
  });
}
