import { describe, expect, it } from 'vitest';
import { declaredType, fillsListWithMap, hasNoFields, mismatch } from '../../../src/kro/compile/declared-type.ts';
import {
  type CelType,
  DURATION,
  DYN,
  listOf,
  mapOf,
  NULL,
  type ObjectType,
  opaque,
  optionalOf,
  STRING,
  TIMESTAMP,
} from '../../../src/languages/cel/types.ts';

const INT: CelType = { kind: 'int' };
const BOOL: CelType = { kind: 'bool' };

function object(name: string, fields: Record<string, CelType>, open = false): ObjectType {
  const field = (key: string): CelType | undefined => (Object.hasOwn(fields, key) ? fields[key] : undefined);
  return { kind: 'object', name, open, field, fieldNames: () => Object.keys(fields) };
}

const small = object('Small', { a: STRING });
const large = object('Large', { a: STRING, b: INT });
const other = object('Other', { a: INT });
const mixed = object('Mixed', { labels: mapOf(STRING, STRING), items: listOf(object('Item', { a: STRING })) });
const texts = object('Texts', { a: STRING, b: STRING });

describe('a value matches a field', () => {
  it.each<[string, CelType, CelType]>([
    ['of its own type', STRING, STRING],
    ['when it is dyn', DYN, INT],
    ['when the field is dyn', INT, DYN],
    ['inside an optional', optionalOf(STRING), STRING],
    ['that may be optional', STRING, optionalOf(STRING)],
    ['of a list of dyn', listOf(DYN), listOf(INT)],
    ['with some of its fields', small, large],
    ['with the same fields under another name', object('Same', { a: STRING }), small],
    ['that is open, whatever its fields', large, object('Open', { a: INT }, true)],
    ['of maps, when every field has the type of their values', texts, mapOf(STRING, STRING)],
    ['of objects, when its values fit every declared field', mapOf(STRING, STRING), texts],
    ['of objects, when its values are dyn', mapOf(STRING, DYN), large],
    ['of objects, null being none', NULL, texts],
    ['of a list, a map whose keys are of its element type', mapOf(STRING, INT), listOf(STRING)],
    ['of a list of objects, any map of texts', mapOf(STRING, STRING), listOf(large)],
    ['of a list, a map with keys of any type', mapOf(DYN, STRING), listOf(INT)],
    ['of a list in a list', listOf(mapOf(STRING, INT)), listOf(listOf(STRING))],
    ['of an object with a list among its fields', mapOf(STRING, mapOf(STRING, STRING)), mixed],
    ['of lists of objects', listOf(small), listOf(large)],
    ['of a map, a library value that kro takes for a struct', opaque('kubernetes.Semver'), mapOf(STRING, STRING)],
    ['of its own opaque type', opaque('Quantity'), opaque('Quantity')],
  ])('%s', (_, actual, expected) => expect(mismatch(actual, expected)).toBeUndefined());

  it.each<[string, CelType, CelType, string]>([
    ['of another type', INT, STRING, 'got int, expected string'],
    ['inside an optional of another type', optionalOf(INT), STRING, 'got int, expected string'],
    ['of another element type', listOf(INT), listOf(STRING), 'list element: got int, expected string'],
    ['of a nested element type', listOf(listOf(BOOL)), listOf(listOf(INT)), 'list element: list element: got bool'],
    ['of another key type', mapOf(INT, STRING), mapOf(STRING, STRING), 'map key: got int, expected string'],
    ['of another value type', mapOf(STRING, INT), mapOf(STRING, STRING), 'map value: got int, expected string'],
    ['with a field too many', large, small, "field 'b' exists in the value but not in the target"],
    ['with a field of another type', other, small, "field 'a': got int, expected string"],
    [
      'with values that do not fit one of the fields',
      mapOf(STRING, STRING),
      large,
      "field 'b': got string, expected int",
    ],
    ['with keys that are no strings', mapOf(INT, STRING), texts, 'map keys must be strings to fill an object, got int'],
    ['with fields that do not fit the map', large, mapOf(STRING, STRING), "field 'b': got int, expected string"],
    [
      'with keys that are dyn, as an empty literal has',
      mapOf(DYN, DYN),
      texts,
      'map keys must be strings to fill an object',
    ],
    ['with keys that are dyn, for an open object', mapOf(DYN, DYN), object('Open', {}, true), 'must be strings'],
    ['null for a timestamp', NULL, TIMESTAMP, 'got null_type, expected google.protobuf.Timestamp'],
    ['null for a duration', NULL, DURATION, 'got null_type'],
    ['null for a text', NULL, STRING, 'got null_type'],
    ['null for a list', NULL, listOf(STRING), 'got null_type'],
    ['a list of null for one of timestamps', listOf(NULL), listOf(TIMESTAMP), 'list element: got null_type'],
    ['an optional null for a timestamp', optionalOf(NULL), TIMESTAMP, 'got null_type'],
    ['of another opaque type', opaque('IP'), opaque('CIDR'), 'got IP, expected CIDR'],
    ['a map with other keys for a list', mapOf(INT, STRING), listOf(STRING), 'list element: got int, expected string'],
    ['an object for a list', small, listOf(STRING), 'got Small, expected list(string)'],
    ['an address for a map', opaque('net.IP'), mapOf(STRING, STRING), 'got net.IP, expected map(string, string)'],
    ['a library value for a list', opaque('IP'), listOf(STRING), 'got IP, expected list(string)'],
    ['a list for a map', listOf(STRING), mapOf(STRING, STRING), 'got list(string), expected map(string, string)'],
    ['a struct of kro for a text', object('__type_a.spec.@idx', {}), STRING, 'got object, expected string'],
    ['of a list where text is wanted', listOf(STRING), STRING, 'got list(string), expected string'],
    ['of an object where text is wanted', small, STRING, 'got Small, expected string'],
  ])('unless it is %s', (_, actual, expected, reason) => expect(mismatch(actual, expected)).toContain(reason));

  it('that contains itself is compared once', () => {
    const node = (name: string): ObjectType => {
      const type: ObjectType = object(name, {});
      return { ...type, field: (key) => (key === 'next' ? node(name) : undefined), fieldNames: () => ['next'] };
    };
    expect(mismatch(node('A'), node('B'))).toBeUndefined();
  });

  it('of recursively growing type within a depth limit', () => {
    const schema = { type: 'object' as const, properties: {} as Record<string, object> };
    schema.properties.next = schema;
    const [a, b] = ['A', 'B'].map((name) => declaredType(schema, name));
    expect(mismatch(a ?? DYN, b ?? DYN)).toBeUndefined();
  });
});

describe('a value without fields', () => {
  it.each<[CelType, boolean]>([
    [STRING, true],
    [listOf(STRING), true],
    [small, false],
    [mapOf(STRING, STRING), false],
    [DYN, false],
    [{ kind: 'null' }, false],
    [optionalOf(small), false],
  ])('%j is accepted as an object, as in kro', (actual, doubtful) => {
    expect(mismatch(actual, texts)).toBeUndefined();
    expect(hasNoFields(actual, texts)).toBe(doubtful);
    expect(hasNoFields(actual, STRING)).toBe(false);
  });
});

describe('a map in the place of a list', () => {
  it.each<[CelType, CelType, boolean]>([
    [mapOf(STRING, STRING), listOf(STRING), true],
    [optionalOf(mapOf(STRING, STRING)), listOf(small), true],
    [listOf(mapOf(STRING, STRING)), listOf(listOf(STRING)), true],
    [mapOf(STRING, mapOf(STRING, STRING)), mapOf(STRING, listOf(STRING)), true],
    // Whether the list is filled depends on the keys.
    [mapOf(STRING, mapOf(STRING, STRING)), mixed, false],
    [listOf(STRING), listOf(STRING), false],
    [DYN, listOf(STRING), false],
  ])('%#: fills the list with a map', (actual, expected, filled) => {
    expect(mismatch(actual, expected)).toBeUndefined();
    expect(fillsListWithMap(actual, expected)).toBe(filled);
  });
});

describe('the template of a collection', () => {
  it('accepts any object in an object field, at any depth', () => {
    for (const wrap of [(type: CelType) => type, listOf, (type: CelType) => mapOf(STRING, type)]) {
      for (const value of [mapOf(STRING, INT), other, large]) {
        expect(mismatch(wrap(value), wrap(small))).toBeDefined();
        expect(mismatch(wrap(value), wrap(small), true)).toBeUndefined();
      }
    }
  });

  it('rejects values of other types as any template does', () => {
    expect(mismatch(INT, STRING, true)).toBeDefined();
    expect(mismatch(listOf(INT), listOf(STRING), true)).toBeDefined();
    expect(mismatch(small, mapOf(STRING, INT), true)).toBeDefined();
  });
});
