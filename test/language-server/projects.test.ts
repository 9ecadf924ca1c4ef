import { describe, expect, it } from 'vitest';
import { type Code, codes } from '../../src/core/diagnostics/index.ts';
import { drawFrom, seed } from '../seed.ts';
import { Language } from './language.ts';

const PROJECTS = 30;
const EDITS = 300;

/** Each project has an RGD of the same kind with other fields, and an instance of it. */
const rgd = (index: number): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec: {field${index}: string, size: integer}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {value: "\${schema.spec.field${index}}"}
`;
const instance = (index: number): string =>
  `apiVersion: kro.run/v1alpha1\nkind: Shop\nmetadata: {name: shop, namespace: a}\nspec: {field${index}: x, size: 1}\n`;

const PARTS = ['', 'x', ' ', '\n', ':', '"', 'Shop', '- a', '}'];

/** Returns a workspace with several projects, or one of them. */
function workspaceOf(indexes: readonly number[]): Language {
  const language = new Language();
  for (const index of indexes) {
    language.workspace.addRoot(`file:///p${index}`);
    language.workspace.setFile(`file:///p${index}/rgd.yaml`, rgd(index));
    language.workspace.setFile(`file:///p${index}/shop.yaml`, instance(index));
  }
  return language;
}

const reportsOf = (language: Language, index: number): unknown[] =>
  ['rgd', 'shop'].map((name) => {
    const uri = `file:///p${index}/${name}.yaml`;
    language.workspace.current(uri);
    const found = language.diagnostics(uri).map(({ code, message, range }) => [code, message, range]);
    // Whether a text is one of kro, so that its shape is reported, depends on the kinds of all projects.
    return found.filter(([code]) => codes[code as Code].stage !== 'parse');
  });

describe('a project in a workspace with others that define the same kinds', () => {
  it('has the reports that it has alone, after each of many edits', () => {
    const draw = drawFrom(seed);
    const all = Array.from({ length: PROJECTS }, (_, index) => index);
    const language = workspaceOf(all);
    // The last valid version of a text counts, so that each project has the same edits alone.
    const alone = all.map((index) => workspaceOf([index]));
    const texts = new Map<string, string>();
    for (let edit = 0; edit < EDITS; edit += 1) {
      const index = draw(PROJECTS);
      const name = draw(3) === 0 ? 'shop' : 'rgd';
      const uri = `file:///p${index}/${name}.yaml`;
      const text = texts.get(uri) ?? (name === 'rgd' ? rgd(index) : instance(index));
      const at = draw(text.length);
      const changed = text.slice(0, at) + PARTS[draw(PARTS.length)] + text.slice(at + draw(4));
      // Every third edit is kept, so that projects have several errors.
      const isKept = edit % 3 === 0;
      if (isKept) texts.set(uri, changed);
      const own = alone[index] as Language;
      for (const { workspace } of [language, own]) workspace.open(uri, changed, edit + 1);
      const found = reportsOf(language, index);
      expect(found, `edit ${edit} of ${uri}`).toEqual(reportsOf(own, index));
      for (const { workspace } of isKept ? [] : [language, own]) workspace.open(uri, text, edit + 1);
    }
  });
});
