import { expect, it } from 'vitest';
import type { ValueMap } from '../../src/core/model/value.ts';
import { appliedBy } from './managed-fields.ts';

const fieldsOf = (fieldsV1: ValueMap): ValueMap => ({
  managedFields: [
    { manager: 'kro', operation: 'Update', fieldsV1: { 'f:data': {} } },
    { manager: 'kro', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': {} } },
    { manager: 'kro', operation: 'Apply', fieldsV1 },
  ],
});

it('returns the fields that the manager applied, and no others', () => {
  const metadata = fieldsOf({ 'f:data': { 'f:a': {} }, 'f:gone': {} });
  expect(appliedBy({ metadata, data: { a: '1', b: '2' }, status: {} }, 'kro')).toEqual({ data: { a: '1' } });
});

it('returns a whole map if none of its fields is named', () => {
  expect(appliedBy({ metadata: fieldsOf({ 'f:spec': {} }), spec: { a: [1n] } }, 'kro')).toEqual({ spec: { a: [1n] } });
});

it('finds items by their keys, their value and their index', () => {
  const metadata = fieldsOf({
    'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
    'f:finalizers': { 'v:"x"': {} },
    'f:list': { 'i:1': {} },
  });
  const ports = [
    { port: 80n, protocol: 'TCP', name: 'defaulted' },
    { port: 81n, protocol: 'TCP' },
  ];
  const object = { metadata, ports, finalizers: ['x', 'y'], list: ['a', 'b'] };
  expect(appliedBy(object, 'kro')).toEqual({ ports: [{ port: 80n }], finalizers: ['x'], list: ['b'] });
});

it('returns nothing for a manager that applied nothing', () => {
  expect(appliedBy({ metadata: fieldsOf({}) }, 'somebody')).toBeUndefined();
});
