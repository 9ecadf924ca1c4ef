import { describe, expect, it } from 'vitest';
import { pathsNamedIn } from '../../src/language-server/yaml/named-paths.ts';
import { Language } from './language.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema: {apiVersion: v1alpha1, kind: Shop, spec: {name: string}}
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.name}"}}
`;
const INSTANCE = 'apiVersion: kro.run/v1alpha1\nkind: Shop\nmetadata: {name: one, namespace: a}\nspec: {name: one}\n';
const OTHER = INSTANCE.replace('spec: {name: one}', 'spec: {other: 3}');

function workspaceWith(ignored: readonly string[]): Language {
  const language = new Language();
  language.workspace.addRoot('file:///w');
  for (const uri of ignored) language.workspace.ignore(uri);
  language.workspace.setFile('file:///w/rgd.yaml', RGD);
  language.workspace.setFile('file:///w/one.yaml', INSTANCE);
  return language;
}

const codesOf = (language: Language, uri: string): unknown[] => {
  language.workspace.current(uri);
  return language.diagnostics(uri).map(({ code }) => code);
};

describe('a file that git ignores', () => {
  it('has no effect on the project, and is a package of its own while it is open', () => {
    const language = workspaceWith(['file:///w/out']);
    language.workspace.open('file:///w/out/rgd.yaml', RGD, 1);
    language.workspace.open('file:///w/out/one.yaml', OTHER, 1);
    expect(codesOf(language, 'file:///w/rgd.yaml')).toEqual([]);
    expect(codesOf(language, 'file:///w/one.yaml')).toEqual([]);
    expect(codesOf(language, 'file:///w/out/one.yaml')).toContain('instance-unknown-field');
    expect(codesOf(workspaceWith([]), 'file:///w/rgd.yaml')).toEqual([]);
  });

  it('is a part of the project if nothing ignores it', () => {
    const language = workspaceWith([]);
    language.workspace.open('file:///w/out/rgd.yaml', RGD.replace('name: shop', 'name: other'), 1);
    const uris = ['file:///w/rgd.yaml', 'file:///w/out/rgd.yaml'];
    expect(uris.flatMap((uri) => codesOf(language, uri))).toContain('kind-defined-twice');
  });

  it('is a part of the project if a kustomization names it, or its folder', () => {
    const language = workspaceWith(['file:///w/out', 'file:///w/local.yaml']);
    expect(language.workspace.includeNamed(pathsNamedIn)).toEqual([]);
    language.workspace.setFile('file:///w/kustomization.yaml', 'resources: [out/base, local.yaml, ../x.yaml]\n');
    expect(language.workspace.includeNamed(pathsNamedIn)).toEqual(['file:///w/out/base', 'file:///w/local.yaml']);
    expect(language.workspace.includeNamed(pathsNamedIn)).toEqual([]);
    language.workspace.open('file:///w/out/base/two.yaml', OTHER, 1);
    language.workspace.open('file:///w/out/other/two.yaml', OTHER.replace('name: one,', 'name: two,'), 1);
    const files = language.workspace.packageOf('file:///w/rgd.yaml')?.files.map(({ uri }) => uri);
    expect(files).toContain('file:///w/out/base/two.yaml');
    expect(files).not.toContain('file:///w/out/other/two.yaml');
  });
});
