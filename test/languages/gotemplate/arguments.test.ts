import { expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';

it.each([
  [10_000, "7 rendered-object: it renders to '1 1"],
  [200_000, '7 template-syntax: a call has more than 10000 arguments'],
])('a call with %i arguments is not an internal error', (count, expected) => {
  const call = `<< print ${'1 '.repeat(count)}>>`;
  const text = `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: r, namespace: d}\nspec:\n  inputs: [{a: b}]\n  resourcesTemplate: |\n    ${call}\n`;
  const { diagnostics } = validate({ objects: [{ file: 'a.yaml', text }] });
  expect(diagnostics).toHaveLength(1);
  const [{ line, code, message } = {}] = diagnostics;
  expect(`${line} ${code}: ${message}`.slice(0, expected.length)).toBe(expected);
});
