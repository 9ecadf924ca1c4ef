import { expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';

/** Texts in which something is reported behind a value of a Secret on the same line. */
const TEXTS: Readonly<Record<string, (value: string) => string>> = {
  'metadata after the value': (value) =>
    `{apiVersion: v1, kind: Secret, stringData: {p: ${value}}, metadata: {name: 5, labels: {a: 5}}}\n`,
  'a key twice': (value) =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {p: ${value}, q: YQ==, q: YQ==}\n`,
  'a broken end': (value) => `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {p: ${value}, q: [}\n`,
  'an expression of a template': (value) =>
    `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: a}\nspec:\n  schema: {apiVersion: v1alpha1, kind: A}\n  resources:\n  - {id: s, template: {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: "${value}\${nothing.x}", q: "\${1 +}"}}}\n`,
  'a template after the Secret': (value) =>
    `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: a}\nspec: {schema: {apiVersion: v1alpha1, kind: A}, resources: [{id: s, template: {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: "${value}"}}}, {id: c, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${none}"}}}]}\n`,
  'a list of one line': (value) =>
    `{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {p: ${value}}}, {apiVersion: kro.run/v1alpha1, kind: None, metadata: {name: 5}}]}\n`,
};

it.each(Object.entries(TEXTS))('no column shows the length of a value: %s', (_, textOf) => {
  const found = (value: string) =>
    validate({ objects: [{ file: 'a.yaml', text: textOf(value) }] }, { strict: true }).diagnostics;
  const short = found('YWJj');
  expect(short.length).toBeGreaterThan(0);
  expect(found(Buffer.from('x'.repeat(120)).toString('base64'))).toEqual(short);
});
