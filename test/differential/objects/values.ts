import type { JsonValue as Plain } from '../../../src/api/index.ts';
import type { Draw } from '../draw.ts';
import { FORMAT_TEXTS } from './formats.ts';
import type { JsonSchema } from './schemas.ts';

const TEXTS = ['a', 'b', 'abc', '', 'aa', 'x1', 'aaaaaaaaaaaaaaaaaaaaa', '80%', '5'];
const INTEGERS: readonly Plain[] = [
  0,
  1,
  2,
  3,
  6,
  -1,
  -5,
  10,
  2147483648,
  9007199254740993n,
  9223372036854775807n,
  -2147483649,
];
const NUMBERS: readonly Plain[] = [
  0.5, 1.5, -0.5, 0.1, 0.30000000000000004, 2, 3, 0, 0.25, 1e-7, 4.5, 7.1, 1e300, 2.9999999999999,
];
const KEYS = ['a', 'b', 'ab', 'zz', 'x-y', 'int', 'metadata', 'kind'];

/** Returns a value for a schema, in which so many percent of the parts are invalid. */
export function valueFor(draw: Draw, schema: JsonSchema, wrong: number): Plain {
  if (draw.chance(wrong)) return anyValue(draw, 1);
  if (schema.nullable === true && draw.chance(wrong === 0 ? 0 : 20)) return null;
  const { enum: options } = schema;
  if (Array.isArray(options) && draw.chance(80)) return draw.pick(options) as Plain;
  if (schema['x-kubernetes-int-or-string'] === true) return draw.pick<Plain>([1, 5, '80%', 'a', 97]);
  switch (schema.type) {
    case 'string':
      return typeof schema.format === 'string' ? textOf(draw, schema.format) : draw.pick(TEXTS.slice(0, 5));
    case 'integer':
      return draw.pick(draw.chance(90) ? INTEGERS.slice(0, 5) : INTEGERS);
    case 'number':
      return draw.pick(NUMBERS);
    case 'boolean':
      return draw.chance(50);
    case 'array':
      return draw.times(0, draw.chance(wrong) ? 6 : 2, () => valueFor(draw, schema.items as JsonSchema, wrong));
    case 'object':
      return objectOf(draw, schema, wrong);
    default:
      return anyValue(draw, 2);
  }
}

function textOf(draw: Draw, format: string): string {
  const texts = FORMAT_TEXTS[format] ?? TEXTS;
  return draw.chance(85) ? (texts[0] ?? '') : draw.pick(texts);
}

export function objectOf(draw: Draw, schema: JsonSchema, wrong: number): Plain {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const object: Record<string, Plain> = {};
  for (const [name, property] of Object.entries(properties as Record<string, JsonSchema>)) {
    const isRequired = (required as string[]).includes(name) && !draw.chance(wrong);
    if (isRequired || draw.chance(65)) object[name] = valueFor(draw, property, wrong);
  }
  if (additionalProperties !== undefined) {
    for (const key of KEYS.filter(() => draw.chance(20))) {
      object[key] =
        additionalProperties === true ? anyValue(draw, 1) : valueFor(draw, additionalProperties as JsonSchema, wrong);
    }
  }
  if (schema['x-kubernetes-embedded-resource'] === true) Object.assign(object, resource(draw, wrong));
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isOpen ? draw.chance(40) : wrong > 0 && draw.chance(2)) object[draw.pick(KEYS)] = anyValue(draw, 1);
  return object;
}

function resource(draw: Draw, wrong: number): Record<string, Plain> {
  const odd = (): boolean => draw.chance(wrong * 2);
  const metadata: Plain = odd() ? draw.pick(METADATA) : { name: draw.pick(['a', 'abc', 'b', 'b/c']) };
  const apiVersion: Plain = odd() ? draw.pick<Plain>(['a/b/c', '', 'apps/v1', 1, null]) : 'v1';
  const kind: Plain = odd() ? draw.pick<Plain>(['', 'my kind', 'Pod1-', 3, null]) : 'Pod';
  return { ...(odd() ? {} : { apiVersion }), ...(odd() ? {} : { kind }), ...(draw.chance(30) ? {} : { metadata }) };
}

const METADATA: readonly Plain[] = [
  null,
  'x',
  {},
  { name: 1 },
  { name: '..' },
  { name: 'a%b' },
  { generateName: 'a/' },
  { namespace: 'A' },
  { namespace: 'team' },
  { labels: { a: 'b' } },
  { labels: { 'a b': 'c' } },
  { labels: { a: 'b c' } },
  { labels: { a: 1 } },
  { labels: { a: null } },
  { labels: null },
  { annotations: { 'a b': 'c' } },
  { annotations: { A: 'anything at all' } },
  { finalizers: ['a/b'] },
  { finalizers: ['a b'] },
  { finalizers: ['x'] },
  { zz: 1 },
  { creationTimestamp: null },
  { creationTimestamp: 'x' },
  { creationTimestamp: '2024-01-01T00:00:00Z' },
  { generation: -1 },
  { generation: 1.5 },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y' }] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: '', uid: 'y' }] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x' }] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'x', uid: 'y' }] },
  { ownerReferences: [{ apiVersion: '/v1', kind: 'Event', name: 'x', uid: 'y' }] },
  { ownerReferences: [{ apiVersion: 'a/b/c', kind: 'Pod', name: 'x', uid: 'y' }] },
  { ownerReferences: [{ apiVersion: 'apps/', kind: 'Pod', name: 'x', uid: 'y' }] },
];

function anyValue(draw: Draw, depth: number): Plain {
  const scalar = draw.pick<Plain>([null, null, 'a', '', 1, 0.5, true, 'nope', -3, 9223372036854775807n]);
  if (depth === 0 || draw.chance(60)) return scalar;
  if (draw.chance(50)) return draw.times(0, 2, () => anyValue(draw, depth - 1));
  return Object.fromEntries(draw.times(0, 2, () => [draw.pick(KEYS), anyValue(draw, depth - 1)] as const));
}
