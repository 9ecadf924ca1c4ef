import { describe, expect, it } from 'vitest';
import { Language } from './language.ts';

/** An RGD whose only field says where it is. */
const rgd = (field: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema: {apiVersion: v1, kind: Shop, group: example.com, spec: {${field}: string}}
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: "\${schema.spec.${field}}"}}
`;
const INSTANCE = 'apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a, namespace: b}\nspec:\n  fi: x\n';
const ROOT = 'file:///repo';

/** Returns the fields that an instance may have, in a workspace whose nearest RGD has `near`. */
function fieldsOf(instance: string, files: Record<string, string>): string[] {
  const language = new Language();
  const texts = { 'apps/rgd.yaml': rgd('near'), 'platform/v2/rgd.yaml': rgd('far'), [instance]: INSTANCE, ...files };
  for (const [path, text] of Object.entries(texts)) language.workspace.setFile(`${ROOT}/${path}`, text);
  const position = { line: 4, character: 2 };
  return language.completions(`${ROOT}/${instance}`, position).map(({ label }) => label);
}

const functionConfig = (path: string): string =>
  `apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderRGD\nmetadata: {name: a}\nspec: {definitions: [${path}]}\n`;
const application = (path: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a}
spec:
  source:
    path: ${path}
    plugin: {name: render-rgd, parameters: [{name: definitions, array: [../../platform/v2]}]}
`;

describe('the definitions of a package', () => {
  it('are the nearest ones', () => {
    expect(fieldsOf('apps/shop/shop.yaml', {})).toContain('near');
  });
  it.each([
    ['a functionConfig of the folder', 'apps/shop/render.yaml', functionConfig('../../platform')],
    ['a functionConfig above', 'apps/render.yaml', functionConfig('../platform/v2/rgd.yaml')],
    ['a functionConfig beside the folder', 'apps/transformer/render.yaml', functionConfig('../../platform')],
    ['an Application of Argo CD', 'argocd/shop.yaml', application('apps/shop')],
    ['a golden test', 'apps/shop/test.yaml', 'definitions: [../../platform]\n'],
  ])('are those that %s names', (_, path, text) => {
    expect(fieldsOf('apps/shop/shop.yaml', { [path]: text })).toContain('far');
  });
  it.each([
    ['a functionConfig elsewhere', 'other/deep/render.yaml', functionConfig('../../platform')],
    ['an Application of another folder', 'argocd/shop.yaml', application('apps/other')],
    ['a test elsewhere', 'apps/test/test.yaml', 'definitions: [../../platform]\n'],
  ])('are not those that %s names', (_, path, text) => {
    expect(fieldsOf('apps/shop/shop.yaml', { [path]: text })).toContain('near');
  });
});
