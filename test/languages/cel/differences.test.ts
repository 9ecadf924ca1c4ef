/** Tests answers that differ from kro, each listed in docs/differences.md under "Expressions". */
import { describe, expect, test } from 'vitest';
import { declaredType } from '../../../src/kro/compile/declared-type.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import { DYN } from '../../../src/languages/cel/types.ts';
import { json } from './engine.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    names: { type: 'array', items: text },
    sizes: { type: 'array', items: { type: 'integer' } },
    labels: { type: 'object', additionalProperties: text },
    limits: { type: 'array', items: { type: 'number' }, 'x-kubernetes-list-type': 'set' },
    waits: { type: 'array', items: { type: 'string', format: 'duration' } },
    blobs: { type: 'array', items: { type: 'string', format: 'byte' } },
    parts: { type: 'array', items: { type: 'object', properties: { name: text } } },
    grid: { type: 'array', items: { type: 'array', items: text } },
    place: { type: 'object', properties: { namespace: text, 'a-b': text } },
    free: { type: 'object', additionalProperties: true },
    holed: { type: 'object', properties: { a: { ...text, nullable: true }, b: text } },
    wrong: { type: 'array', items: { type: 'integer' } },
    bare: { type: 'object', additionalProperties: {} },
  },
};
const data = {
  names: ['a', 'b'],
  sizes: [1n, 2n],
  labels: { app: 'web' },
  limits: [1n, 2.5],
  waits: ['1s'],
  blobs: ['YQ=='],
  parts: [{ name: 'p' }, { name: 'q' }],
  grid: [['a', 'b'], []],
  place: { namespace: 'n', 'a-b': 'c' },
  free: { x: 1n },
  holed: { a: null, b: 'c' },
  wrong: [1n, 'x'],
  bare: { x: 1n },
};
const setting = { types: { spec: declaredType(schema, 'spec') ?? DYN }, values: { spec: data } };

function holds(what: string, rows: [string, unknown][]): void {
  describe(what, () => {
    test.each(rows)('%s', (source, expected) => expect(json(source, setting)).toEqual(expected));
  });
}

holds('values of two kinds are not equal', [
  ['dyn(spec.names) == 1', false],
  ['dyn(spec.place) == 1', false],
  ['dyn(spec.labels) == dyn(spec.names)', false],
  ['dyn(spec.parts) == [1.0, 2.5]', false],
  ['dyn(quantity("1")) == 1', false],
  ['b"a" in dyn({"a": 1})', false],
]);

holds('a computed value of the right type may be added to a list that was read', [
  ['spec.grid + [["c"]]', [['a', 'b'], [], ['c']]],
  ['spec.blobs + [b"a"] == spec.blobs + spec.blobs', true],
  ['(spec.parts + [dyn({"name": "z"})]).map(p, p.name)', ['p', 'q', 'z']],
  ['spec.waits + [duration("3s")]', ['1s', '3s']],
  ['(spec.waits + spec.waits).sort()', ['1s', '1s']],
  [
    'cel.bind(s, spec.sizes + [3, 4], [s + [5], s + [6]])',
    [
      [1n, 2n, 3n, 4n, 5n],
      [1n, 2n, 3n, 4n, 6n],
    ],
  ],
  ['spec.sizes + [6] + (spec.sizes + [1])', [1n, 2n, 6n, 1n, 2n, 1n]],
]);

holds('the keys of an object are its field names', [
  ['dyn(spec.place).map(k, k)', ['a-b', 'namespace']],
  ['dyn(spec.place).transformMap(k, v, v)', data.place],
  ['spec.place.deepMerge({"x": "y"})', { ...data.place, x: 'y' }],
  ['"%s".format([dyn(spec.place)])', '{a-b: c, namespace: n}'],
]);

holds('a null in an object is a part as any other', [
  ['dyn(spec.holed).transformMap(k, v, v)', { a: null, b: 'c' }],
  ['"%s".format([dyn(spec.holed)])', '{a: null, b: c}'],
]);

const MISFIT = 'failure: invalid data, expected int, got string';
holds('a part that does not fit fails where it is looked for', [
  ['spec.wrong[?1].hasValue()', MISFIT],
  ['[spec.wrong] == [spec.wrong]', MISFIT],
]);

holds('numbers', [
  ['dyn(spec.names)[0u]', 'a'],
  ['dyn(spec.names)[1.0]', 'b'],
  ['spec.limits == [1.0, 2.5]', true],
  ['spec.limits + spec.limits', [1, 2.5]],
]);

holds('json.encode takes what was read', [
  ['json.encode(spec.names)', '["a","b"]'],
  ['json.encode([spec.labels])', '[{"app":"web"}]'],
]);

holds('maps of anything', [
  ['spec.free.x', 1n],
  ['spec.free["x"]', 1n],
  ['size(spec.free)', 1n],
  ['spec.bare.x', 1n],
]);

holds('map keys', [
  ['{1: 1, 1u: 2}.size()', 1n],
  ['{"a": 1, ?"a": optional.none()}', { a: 1n }],
  ['{duration("1s"): 1}', 'failure: unsupported key type: google.protobuf.Duration'],
  ['{1.5: 1}.size()', 'failure: unsupported key type: double'],
]);

holds('what is unknown', [
  ['google.protobuf.Duration{seconds: 1}', "check: undeclared reference to 'google.protobuf.Duration'"],
  ...['Local', 'localtime', 'posixrules', 'Factory', 'posix/UTC', 'right/UTC'].map((zone): [string, unknown] => [
    `timestamp(0).getHours("${zone}")`,
    `failure: unknown time zone ${zone}`,
  ]),
  ['"a b".find("\\\\p{White_Space}")', ' '],
]);

test.each(['\\\\p{Letter}', '\\\\pl', '(?<a>b)(?<a>c)'])('the pattern %s does not compile', (pattern) => {
  expect(json(`"bc".find("${pattern}")`, setting)).toMatch(/^check: error parsing regexp: /);
});
