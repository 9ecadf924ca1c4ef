import type { Draw } from './draw.ts';
import { ruleOf } from './rules.ts';
import {
  drawnValue,
  type Field,
  isList,
  isMapType,
  isStruct,
  type Json,
  type JsonMap,
  names,
  type Type,
  toText,
} from './types.ts';

/** The schema of an RGD, as text and as a type of expressions. */
export interface GeneratedSchema {
  spec: JsonMap;
  types: JsonMap;
  type: { fields: Record<string, Field> };
}

const fieldNames = [
  'name',
  'replicas',
  'zones',
  'env',
  'flags',
  'ports',
  'labels',
  'enabled',
  'ratio',
  'image',
  'extra',
];
const typeNames = ['Port', 'Zone', 'Tier'];
/** Names that a path, a type checker or another language may read differently. */
const oddNames = ['in', 'a-b', 'x.y', 'namespace', 'apiVersion', 'kind', 'size', 'string', '__a', 'Ünï', 'null', '1st'];

interface Written {
  text: string | JsonMap;
  type: Type;
}

/** Returns a schema with custom types, markers and defaults; a few percent are invalid. */
export function schemaOf(draw: Draw): GeneratedSchema {
  const types: JsonMap = {};
  const known: { name: string; type: Type }[] = [];
  for (const name of typeNames.slice(0, draw.int(0, 2))) {
    const fields = structOf(draw, 1, known);
    types[name] = fields.text;
    known.push({ name, type: fields.type });
  }
  if (draw.chance(12)) {
    const alias = aliasOf(draw, known);
    types.Alias = alias.text;
    known.push({ name: 'Alias', type: alias.type });
  }
  const { text, type } = structOf(draw, 2, known, draw.int(1, 6));
  // The order of types does not matter. A type that contains itself is an error.
  const ordered = draw.chance(30) ? Object.fromEntries(Object.entries(types).reverse()) : types;
  if (draw.chance(0.5)) ordered.Port = { again: draw.pick(['Port', '[]Port', 'map[string]Port']) };
  return { spec: text, types: ordered, type: type as GeneratedSchema['type'] };
}

/** Returns a custom type that is no struct. */
function aliasOf(draw: Draw, known: readonly { name: string; type: Type }[]): Written {
  const written = typeOf(draw, 1, known.slice(0, 1));
  if (typeof written.text !== 'string') return written;
  return { text: written.text + (draw.chance(40) ? bounds(draw, written.text) : ''), type: written.type };
}

function structOf(draw: Draw, depth: number, known: readonly { name: string; type: Type }[], size = draw.int(1, 3)) {
  const text: JsonMap = {};
  const fields: Record<string, Field> = {};
  for (let left = size; left > 0; left--) {
    const name = draw.chance(98) ? draw.pick(fieldNames) : draw.pick(oddNames);
    if (name in text) continue;
    const written = typeOf(draw, depth, known);
    if (typeof written.text !== 'string') {
      text[name] = written.text;
      fields[name] = { type: written.type, optional: true };
      continue;
    }
    const { markers, present } = markersOf(draw, written);
    text[name] = written.text + markers;
    fields[name] = { type: written.type, optional: !present };
  }
  return { text, type: { fields } as Type };
}

function typeOf(draw: Draw, depth: number, known: readonly { name: string; type: Type }[]): Written {
  const scalar = (): Written =>
    draw.pick<Written>([
      { text: 'string', type: 'string' },
      { text: 'string', type: 'string' },
      { text: 'integer', type: 'int' },
      { text: 'boolean', type: 'bool' },
      { text: 'float', type: 'double' },
    ]);
  const roll = draw.int(1, 100);
  if (depth === 0 || roll <= 50) return scalar();
  if (roll <= 65) {
    const item = inner(draw, known, scalar);
    return { text: `[]${item.text}`, type: { list: item.type } };
  }
  if (roll <= 78) {
    const item = inner(draw, known, scalar);
    return { text: `map[string]${item.text}`, type: { map: item.type } };
  }
  if (roll <= 83) return { text: 'object', type: 'dyn' };
  if (roll <= 90 && known.length > 0) {
    const { name, type } = draw.pick(known);
    return { text: name, type };
  }
  if (roll <= 92 && known.length > 0 && draw.chance(40)) {
    const { name, type } = draw.pick(known);
    return draw.pick<Written>([
      { text: `[][]${name}`, type: { list: { list: type } } },
      { text: `map[string][]${name}`, type: { map: { list: type } } },
      { text: `[]map[string]${name}`, type: { list: { map: type } } },
      { text: `map[string]map[string]${name}`, type: { map: { map: type } } },
    ]);
  }
  if (roll <= 92) {
    return draw.pick<Written>([
      { text: '[][]string', type: { list: { list: 'string' } } },
      { text: 'map[string]map[string]string', type: { map: { map: 'string' } } },
      { text: '[]map[string]integer', type: { list: { map: 'int' } } },
      { text: 'map[string][]string', type: { map: { list: 'string' } } },
      { text: '[]object', type: { list: 'dyn' } },
    ]);
  }
  return structOf(draw, depth - 1, known);
}

function inner(draw: Draw, known: readonly { name: string; type: Type }[], scalar: () => Written): Written {
  if (known.length === 0 || draw.chance(70)) return scalar();
  const { name, type } = draw.pick(known);
  return { text: name, type };
}

/** Returns markers for a type, and whether a value always exists with them. */
function markersOf(draw: Draw, written: Written): { markers: string; present: boolean } {
  const { markers, present } = plainMarkersOf(draw, written);
  if (!draw.chance(9)) return { markers, present };
  const rule = `validation=${JSON.stringify(ruleOf(draw, written.type))}`;
  return { markers: markers === '' ? ` | ${rule}` : `${markers} ${rule}`, present };
}

function plainMarkersOf(draw: Draw, { text, type }: Written): { markers: string; present: boolean } {
  const key = isList(type) && isStruct(type.list) ? keyOf(type.list.fields) : undefined;
  if (key !== undefined && draw.chance(50)) return { markers: ` | listType=map listMapKey=${key}`, present: false };
  const roll = draw.int(1, 100);
  if (roll <= 30) return { markers: '', present: false };
  if (roll <= 45) return { markers: ' | required=true', present: true };
  if (roll <= 75) {
    const odd = draw.chance(3) ? oddDefaultOf(draw, type) : undefined;
    if (odd !== undefined) return { markers: ` | default=${odd}`, present: true };
    const value = defaultOf(draw, type);
    return { markers: ` | default=${toText(value)}${boundsOf(draw, text as string)}`, present: value !== null };
  }
  if (roll <= 90) return { markers: bounds(draw, text as string), present: false };
  return { markers: ' | description="words"', present: false };
}

/** Returns a field that every item has, which may be the key of a list. */
const keyOf = (fields: Readonly<Record<string, Field>>): string | undefined =>
  Object.entries(fields).find(([, { type, optional }]) => !optional && (type === 'string' || type === 'int'))?.[0];

/** Returns a default, usually of the right type; some are null or empty. */
function defaultOf(draw: Draw, type: Type): Json {
  if (draw.chance(typeof type === 'string' ? 0.5 : 6)) return null;
  if (draw.chance(1)) return drawnValue(draw, draw.pick<Type>(['string', 'int', 'bool']));
  if (draw.chance(20)) {
    if (isList(type)) return [];
    if (isMapType(type) || isStruct(type) || type === 'dyn') return {};
  }
  const value = drawnValue(draw, type);
  // Escapes in a default are a deliberate difference.
  return toText(value).includes('\\') ? draw.pick(names) : value;
}

/** Returns the text of a default that languages read differently. */
function oddDefaultOf(draw: Draw, type: Type): string | undefined {
  if (type === 'int') return draw.pick(['-0', '+1', '007', '"7"', '1e3']);
  if (type === 'double') return draw.pick(['-0.0', '-0', '1.50', '+1', '5e-1', '.5']);
  if (type === 'bool') return draw.pick(['TRUE', 'true', 'T', '"true"']);
  if (type === 'string') return draw.pick(['007', 'null', 'true', '""', '1.50', 'a-b']);
  return undefined;
}

const boundsOf = (draw: Draw, text: string): string =>
  draw.chance(6) ? ` ${bounds(draw, text).replace(' | ', '')}` : '';

function bounds(draw: Draw, text: string): string {
  if (text === 'integer')
    return draw.pick([
      ' | minimum=0',
      ' | maximum=100',
      ' | enum="0,1,2,3"',
      ' | minimum=1 maximum=9000',
      ' | maximum=9007199254740993',
      ' | minimum=-9223372036854775808 maximum=9223372036854775807',
      ' | minimum=-9223372036854774784 maximum=9007199254740993',
      ' | enum="9007199254740993,1"',
    ]);
  if (text === 'float') return draw.pick([' | minimum=0', ' | maximum=100', ' | minimum=0.1 maximum=1e21']);
  if (text === 'string') {
    return draw.pick([
      ' | maxLength=20',
      ' | minLength=1',
      ` | enum="${names.join(',')}"`,
      ' | enum="a b, c"',
      ' | enum="Ünï,x-y,10"',
      ' | pattern="^[a-z]*$"',
      ' | immutable=true',
    ]);
  }
  if (text.startsWith('[]'))
    return draw.pick([
      ' | maxItems=5',
      ' | minItems=1',
      ' | uniqueItems=true',
      ' | listType=set',
      ' | listType=atomic',
      ...(draw.chance(5) ? [' | listType=map listMapKey=name'] : []),
      ' | immutable=true',
    ]);
  return draw.pick([' | description="x"', ' | immutable=true']);
}
