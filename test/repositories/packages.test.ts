import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { nameOf } from '../../src/core/model/object.ts';
import { packagesOf } from './packages.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function cloneWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'repository-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const rgd = (name: string, kind: string, template: string): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${name}}
spec:
  schema: {apiVersion: v1alpha1, kind: ${kind}, spec: {size: integer}}
  resources: [{id: a, template: ${template}}]
`;
const inner = rgd('inner', 'Inner', '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}');
const outer = rgd(
  'outer',
  'Outer',
  '{apiVersion: kro.run/v1alpha1, kind: Inner, metadata: {name: x}, spec: {size: 1}}',
);
const instance = (name: string): string =>
  `{apiVersion: kro.run/v1alpha1, kind: Outer, metadata: {name: ${name}}, spec: {size: 1}}\n`;

it('packs each RGD with the nearest RGDs that it needs and with its instances', async () => {
  const clone = cloneWith({
    'platform/outer.yaml': outer,
    'platform/inner.yaml': inner,
    'old/inner.yaml': inner.replace('name: x', 'name: z'),
    'copies/inner.yaml': inner,
    'apps/one.yaml': instance('one'),
    'apps/template.yaml': instance('"{{ name }}"'),
    'apps/broken.yaml': 'a: [',
  });
  const { packages, unread } = await packagesOf(clone);
  expect(unread).toBe(1);
  const shown = packages.map(({ name, objects }) => [
    name,
    ...objects.map((one) => `${one.kind}/${nameOf(one as never)}`),
  ]);
  expect(shown.sort()).toEqual([
    ['inner', 'ResourceGraphDefinition/inner', 'Inner/example'],
    ['inner-2', 'ResourceGraphDefinition/inner', 'Inner/example'],
    ['outer', 'ResourceGraphDefinition/outer', 'ResourceGraphDefinition/inner', 'Outer/one'],
  ]);
  const needed = packages.find(({ name }) => name === 'outer')?.objects[1];
  expect(JSON.stringify(needed)).toContain('"name":"x"');
});
