import { describe, expect, it } from 'vitest';
import { validate } from '../../src/api/index.ts';
import { instance, rgd } from './bombs.ts';

const LONG = 100_000;
const config = (data: string): string =>
  rgd({ nodes: `  - {id: c, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: ${data}}}}` });
const set = (template: string): string =>
  `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: web}\nspec:\n  inputs: [{a: b}]\n  resourcesTemplate: |\n    ${template}\n`;

/** Texts with one long part. A search that begins anew at each character would take minutes, and time out. */
const texts: Readonly<Record<string, string>> = {
  'a name before a dash': config(`"\${${'x'.repeat(LONG)}-unknown}"`),
  'a text before a missing key': set(`${'x'.repeat(LONG)}<< inputs.b >>`),
  'dots before a missing key': set(`<< inputs${'.x'.repeat(LONG)} >>`),
  'slashes of a path': set(`a: << base "${'/'.repeat(LONG)}a" >>`),
  'digits of a quantity': `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, resources: {limits: {memory: "${'0'.repeat(LONG)}x"}}}]}\n`,
  'blanks of a type': rgd({ spec: `{a: 'map(string,${' '.repeat(LONG)}'}` }),
};

describe('a text with one long part is read once', () => {
  it.each(Object.entries(texts))('%s', (_, text) => {
    expect(validate({ objects: [{ file: 'input.yaml', text: `${text}${instance()}` }] }).diagnostics).not.toEqual([]);
  });
});
