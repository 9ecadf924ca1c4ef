import { describe, expect, it } from 'vitest';
import { createStatusBudget, inferredSchema } from '../../../src/kro/compile/status.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import {
  type CelType,
  DYN,
  listOf,
  mapOf,
  type ObjectType,
  opaque,
  optionalOf,
  STRING,
} from '../../../src/languages/cel/types.ts';

const open: Schema = { 'x-kubernetes-preserve-unknown-fields': true };
const timestamp: CelType = { kind: 'timestamp' };

function object(name: string, fields: Record<string, CelType | undefined>): ObjectType {
  return { kind: 'object', name, open: false, field: (key) => fields[key], fieldNames: () => Object.keys(fields) };
}

describe('the schema of a status field', () => {
  it.each<[string, CelType, Schema]>([
    ['bool', { kind: 'bool' }, { type: 'boolean' }],
    ['int', { kind: 'int' }, { type: 'integer' }],
    ['uint', { kind: 'uint' }, { type: 'integer' }],
    ['double', { kind: 'double' }, { type: 'number' }],
    ['string', STRING, { type: 'string' }],
    ['bytes', { kind: 'bytes' }, { type: 'string', format: 'byte' }],
    ['a list', listOf(STRING), { type: 'array', items: { type: 'string' } }],
    ['a map', mapOf(STRING, { kind: 'int' }), { type: 'object', additionalProperties: { type: 'integer' } }],
    ['dyn', DYN, open],
    ['a type variable', { kind: 'param', name: 'T' }, open],
    ['null', { kind: 'null' }, { ...open, description: 'null type - any value allowed' }],
    ['a quantity', opaque('kubernetes.Quantity'), { type: 'object', additionalProperties: true }],
    ['a URL', opaque('kubernetes.URL'), { type: 'object', additionalProperties: true }],
    ['a version', opaque('kubernetes.Semver'), { type: 'object', additionalProperties: true }],
    ['an IP address', opaque('net.IP'), { ...open, description: 'unknown CEL type: net.IP' }],
    ['a CIDR', opaque('net.CIDR'), { ...open, description: 'unknown CEL type: net.CIDR' }],
    ['a duration', { kind: 'duration' }, { ...open, description: 'unknown CEL type: google.protobuf.Duration' }],
    ['a type', { kind: 'type', of: { kind: 'int' } }, { ...open, description: 'unknown CEL type: type(int)' }],
    [
      'quantities',
      listOf(opaque('kubernetes.Quantity')),
      { type: 'array', items: { type: 'object', additionalProperties: true } },
    ],
    ['an optional', optionalOf(STRING), { ...open, description: 'unknown CEL type: optional_type(string)' }],
    ['a list of dyn', listOf(DYN), { type: 'array', items: open }],
    ['an object without fields', object('O', {}), { type: 'object' }],
  ])('of %s', (_, type, schema) => expect(inferredSchema(type)).toEqual(schema));

  it('of a timestamp has a format, which an object does not keep', () => {
    expect(inferredSchema(timestamp)).toMatchObject({ type: 'string', format: 'date-time' });
    expect(inferredSchema(object('O', { at: timestamp }))).toEqual({ type: 'object', properties: { at: open } });
  });

  it('of an object has all its fields, down to scalars', () => {
    const inner = object('O.inner', { deep: listOf(mapOf(STRING, { kind: 'bool' })) });
    expect(inferredSchema(object('O', { inner, name: STRING }))).toEqual({
      type: 'object',
      properties: {
        inner: {
          type: 'object',
          properties: {
            deep: { type: 'array', items: { type: 'object', additionalProperties: { type: 'boolean' } } },
          },
        },
        name: { type: 'string' },
      },
    });
  });

  it('of one type in two fields is repeated', () => {
    const shared = object('S', { a: STRING });
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(inferredSchema(object('O', { x: shared, y: shared }))).toEqual({
      type: 'object',
      properties: { x: schema, y: schema },
    });
  });

  it('of one declaration in two fields is computed once, and counted twice', () => {
    let asked = 0;
    const declaration = {};
    const fields = (): string[] => {
      asked += 1;
      return ['abc'];
    };
    // The name of a type is its path: the declaration is what two paths have in common.
    const at = (name: string): ObjectType => ({ ...object(name, { abc: STRING }), declaration, fieldNames: fields });
    const twice = object('O', { x: at('O.x'), y: listOf(at('O.y.@idx')) });
    const room = createStatusBudget();
    const before = room.left;
    const schema = inferredSchema(twice, room);
    expect(asked).toBe(1);
    expect(schema?.properties?.x).toBe(schema?.properties?.y?.items);
    expect(before - room.left).toBe(21 + 23 + 21 + 23);
    const tight = { ...createStatusBudget(), left: 87 };
    expect(inferredSchema(twice, tight)).toBeUndefined();
    expect(tight.left).toBe(-1);
  });

  it('of one declaration reports excessive nesting in any field', () => {
    const declared = (name: string, field: CelType): ObjectType => ({
      ...object(name, { field }),
      declaration: { name },
    });
    const nested = (times: number, inner: CelType): CelType =>
      times === 0 ? inner : declared(`D${times}`, nested(times - 1, inner));
    const half = nested(33, STRING);
    expect(inferredSchema(object('O', { half, deep: nested(31, half) }))).toBeDefined();
    expect(inferredSchema(object('O', { half, deep: nested(32, half) }))).toBeUndefined();
    expect(inferredSchema(object('O', { deep: nested(32, half) }))).toBeUndefined();
  });

  it('of a type that contains itself depends on its position', () => {
    const declaration = {};
    const outer: ObjectType = {
      ...object('Outer', {}),
      declaration,
      field: () => inner,
      fieldNames: () => ['inner'],
    };
    const inner: ObjectType = {
      ...object('Inner', {}),
      declaration: {},
      field: () => outer,
      fieldNames: () => ['outer'],
    };
    const cut = { type: 'object' };
    const inOuter = { type: 'object', properties: { inner: { type: 'object', properties: { outer: cut } } } };
    const inInner = { type: 'object', properties: { outer: { type: 'object', properties: { inner: cut } } } };
    expect(inferredSchema(object('O', { outer, inner }))).toEqual({
      type: 'object',
      properties: { outer: inOuter, inner: inInner },
    });
  });

  it('of a type inside of itself has no fields, as in kro', () => {
    const declaration = {};
    const within = (name: string): ObjectType => ({
      ...object(name, {}),
      declaration,
      field: (key) => (key === 'name' ? STRING : within(`${name}.${key}`)),
      fieldNames: () => ['name', 'self', 'other'],
    });
    const cut = { type: 'object' };
    expect(inferredSchema(within('W'))).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, self: cut, other: cut },
    });
    const self: ObjectType = { ...object('Self', {}), field: () => self, fieldNames: () => ['self'] };
    expect(inferredSchema(self)).toEqual({ type: 'object', properties: { self: cut } });
  });

  it('of a type that nests too deeply is an error, as is that of its parent', () => {
    const deeper = (name: string): ObjectType => ({
      ...object(name, {}),
      field: () => deeper(`${name}.next`),
      fieldNames: () => ['next'],
    });
    const type = deeper('D');
    expect(inferredSchema(type)).toBeUndefined();
    expect(inferredSchema(listOf(type))).toBeUndefined();
    expect(inferredSchema(mapOf(STRING, type))).toBeUndefined();
    expect(inferredSchema(object('O', { fine: STRING, bad: listOf(mapOf(STRING, type)) }))).toBeUndefined();
  });
});
