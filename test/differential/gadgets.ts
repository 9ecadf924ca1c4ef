import type { Draw } from './draw.ts';
import { sometimes } from './fields.ts';
import type { Field, Json, JsonMap, Type } from './types.ts';

/** The features of a CRD field: nullable, a format, a default. */
const fields: Readonly<Record<string, readonly [schema: JsonMap, type: Type, valid?: readonly Json[]]>> = {
  when: [{ type: 'string', format: 'date-time' }, 'timestamp', ['2024-01-02T03:04:05Z', '2024-02-29T12:00:00.5+02:00']],
  day: [{ type: 'string', format: 'date' }, 'timestamp', ['2024-01-02', '2024-02-29']],
  span: [{ type: 'string', format: 'duration' }, 'duration', ['1h30m', '90s', '0s']],
  blob: [{ type: 'string', format: 'byte' }, 'bytes', ['YQ==', '']],
  id: [{ type: 'string', format: 'uuid' }, 'string', ['123e4567-e89b-12d3-a456-426614174000']],
  addr: [{ type: 'string', format: 'ipv4' }, 'string', ['10.0.0.1']],
  mail: [{ type: 'string', format: 'email' }, 'string', ['a@example.com']],
  long: [{ type: 'integer', format: 'int64' }, 'int'],
  short: [{ type: 'integer', format: 'int32' }, 'int'],
  wide: [{ type: 'number', format: 'double' }, 'double'],
  maybe: [{ type: 'string', nullable: true }, 'string'],
  maybeInt: [{ type: 'integer', nullable: true }, 'int'],
  maybeList: [{ type: 'array', nullable: true, items: { type: 'string' } }, { list: 'string' }],
  holes: [{ type: 'array', items: { type: 'string', nullable: true } }, { list: 'string' }],
  pairs: [{ type: 'object', additionalProperties: { type: 'string', nullable: true } }, { map: 'string' }],
  deep: [
    {
      type: 'object',
      nullable: true,
      properties: {
        a: { type: 'string', default: 'x' },
        b: { type: 'integer', nullable: true },
        c: { type: 'array', items: { type: 'string' } },
      },
    },
    { fields: { a: sometimes('string'), b: sometimes('int'), c: sometimes({ list: 'string' }) } },
  ],
  given: [{ type: 'string', default: 'd' }, 'string'],
  givenList: [{ type: 'array', items: { type: 'string' }, default: [] }, { list: 'string' }],
  givenStruct: [
    { type: 'object', default: {}, properties: { a: { type: 'integer', default: 9007199254740991 } } },
    { fields: { a: sometimes('int') } },
  ],
  givenNull: [{ type: 'string', nullable: true, default: null }, 'string'],
  picked: [{ type: 'string', enum: ['alpha', 'beta'] }, 'string', ['alpha', 'beta']],
  times: [{ type: 'array', items: { type: 'string', format: 'date-time' } }, { list: 'timestamp' }],
  spans: [{ type: 'object', additionalProperties: { type: 'string', format: 'duration' } }, { map: 'duration' }],
  either: [{ 'x-kubernetes-int-or-string': true, nullable: true }, 'dyn'],
  any: [{ 'x-kubernetes-preserve-unknown-fields': true, nullable: true }, 'dyn'],
  box: [
    {
      type: 'object',
      properties: {
        limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
        claims: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        terms: { type: 'array', items: { type: 'string' } },
        on: { type: 'boolean' },
      },
    },
    {
      fields: {
        limits: sometimes({ map: 'string' }),
        claims: sometimes({ list: { fields: { name: sometimes('string') } } }),
        terms: sometimes({ list: 'string' }),
        on: sometimes('bool'),
      },
    },
  ],
};

export interface Gadget {
  crd: JsonMap;
  /** The type of `spec`. */
  spec: { fields: Record<string, Field> };
}

/** Returns a valid value of a field with few valid values. */
export const validValue = (draw: Draw, field: string): Json | undefined => {
  const [, , valid] = fields[field] ?? [];
  return valid && draw.pick(valid);
};

/** Returns a CRD with some of the fields. */
export function gadgetOf(draw: Draw): Gadget {
  const chosen = Object.entries(fields).filter(() => draw.chance(25));
  const properties = Object.fromEntries(chosen.map(([name, [schema]]): [string, Json] => [name, schema]));
  const crd: JsonMap = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Gadget', listKind: 'GadgetList', plural: 'gadgets', singular: 'gadget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
          },
        },
      ],
    },
  };
  return { crd, spec: { fields: Object.fromEntries(chosen.map(([name, [, type]]) => [name, sometimes(type)])) } };
}
