import { expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';

const rgd = (metadata: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: ${metadata}
spec:
  schema: {apiVersion: v1, kind: Box, spec: {pw: string | default=a}}
  resources:
    - id: cfg
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.pw}"}}
`;
const found = (text: string) =>
  validate({ objects: [{ file: 'a.yaml', text }] }).diagnostics.map(
    ({ code, line, column, message, hint }) => `${line}:${column} ${code} ${message}; ${hint}`,
  );

it('metadata of an RGD accepts the fields of every object', () => {
  expect(found(rgd('{name: x, labels: {a: b}, annotations: {a: b}, finalizers: [a/b]}'))).toEqual([]);
});

it('metadata of an RGD rejects other fields, as kubectl does', () => {
  expect(found(rgd('{name: x, annotatinos: {a: b}, lables: {a: b}}'))).toEqual([
    "3:21 rgd-unknown-field unknown field 'annotatinos'; did you mean 'annotations'?",
    "3:42 rgd-unknown-field unknown field 'lables'; did you mean 'labels'?",
  ]);
});

it('a type error of an expression in a Secret does not quote its literals', () => {
  const secret = (expression: string): string =>
    rgd('{name: x}').replace(
      'kind: ConfigMap, metadata: {name: "${schema.spec.pw}"}',
      `kind: Secret, metadata: {name: a}, stringData: {a: '\${${expression}}'}`,
    );
  const [first = '', ...more] = found(secret('schema.spec.pw + 1'));
  expect(more).toEqual([]);
  expect(first).toMatch(/expression-type .*string.*int/);
  for (const one of found(secret('schema.spec.pw + 1234567 + "hunter2".size("hunter2")'))) {
    expect(one).not.toMatch(/1234567|hunter2/);
  }
});

it('validate rejects a Service whose name starts with a digit, as render does', () => {
  const service = (name: string): string =>
    `${rgd('{name: x}').replace('kind: ConfigMap,', 'kind: Service, spec: {ports: [{port: 80}]},')}---\napiVersion: kro.run/v1\nkind: Box\nmetadata: {name: a, namespace: b}\nspec: {pw: ${name}}\n`;
  const of = (name: string) =>
    validate({ objects: [{ file: 'a.yaml', text: service(name) }] }).diagnostics.map(
      ({ severity, code }) => `${severity} ${code}`,
    );
  expect(of('web')).toEqual([]);
  expect(of('1web')).toEqual(['error service-name']);
  expect(of('-web')).toEqual(['error object-name']);
});
