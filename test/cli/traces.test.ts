import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../src/api/index.ts';
import { commitAll, git } from './git/repository.ts';
import { invoke } from './invoke.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: database}
spec:
  schema: {group: db.example.com, apiVersion: v1, kind: Database, spec: {}}
  resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {a: b}}
`;
const DATABASE = 'apiVersion: db.example.com/v1\nkind: Database\nmetadata: {name: main, namespace: shop}\nspec: {}\n';
const OTHER =
  '---\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{port: 80}]}\n';
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.db.example.com, labels: {kro.run/owned: "true", kro.run/resource-graph-definition-name: database}}
spec:
  group: db.example.com
  names: {kind: Database, plural: databases}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;
const RENDERED =
  '{apiVersion: v1, kind: ConfigMap, metadata: {name: old, namespace: shop, labels: {kro.run/instance-kind: Database, kro.run/instance-group: db.example.com}}}\n';
const PASSTHROUGH = 'annotations: {render-rgd.dev/mode: passthrough}';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-traces-'));
  mkdirSync(join(folder, '.git'));
  put('apps/main.yaml', DATABASE + OTHER);
});
afterEach(() => rmSync(folder, { recursive: true }));
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

/** The verdict of each command on the instance. */
const verdicts = async (): Promise<string[]> =>
  Promise.all(
    [['render', '--all'], ['validate'], ['render']].map(async ([command = '', ...flags]) => {
      const { code, stdout, stderr } = await invoke([command, join(folder, 'apps'), ...flags]);
      return code === 0 ? 'fine' : (/error\[[a-z-]+\] Database\/main/.exec(stdout + stderr)?.[0] ?? 'another error');
    }),
  );
const REFUSED = Array.from({ length: 3 }, () => 'error[undefined-kind] Database/main');

it('an RGD with an error defines the kind of the nodes of another one', async () => {
  put('rgds/database.yaml', RGD.replace('schema.metadata', 'schemas.metadata'));
  put(
    'rgds/shop.yaml',
    RGD.replaceAll('Database', 'Shop')
      .replace('name: database', 'name: shop')
      .replace(
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}, data: {a: b}}',
        '{apiVersion: db.example.com/v1, kind: Database, metadata: {name: "${schema.metadata.name}"}, spec: {}}',
      ),
  );
  put('apps/shop.yaml', DATABASE.replace('Database', 'Shop').replace('name: main', 'name: other'));
  const { stdout } = await invoke(['validate', folder, '-o', 'json']);
  const codes = (JSON.parse(stdout) as { code: string; severity: string }[])
    .filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);
  expect(codes).toEqual(['unknown-name']);
});

describe('an instance whose RGD is not in the input', () => {
  it.each([
    ['an RGD elsewhere in the repository', 'platform/db/rgd.yaml', RGD],
    ['an RGD in a hidden folder', '.platform/rgd.yaml', RGD],
    ['an RGD in a template of helm', 'chart/templates/rgd.yaml', `{{- if .Values.a }}\n${RGD}{{ end }}\n`],
    ['its CRD elsewhere in the repository', 'crds/db.yaml', CRD],
    ['its CRD in the input', 'apps/crd.yaml', CRD],
    ['a rendered object elsewhere in the repository', 'rendered/shop/configmap-old.yaml', RENDERED],
    ['a rendered object in the input', 'apps/old.yaml', RENDERED],
    [
      'an RGD in a JSON list',
      'deep/er/list.json',
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [rgdObject()] }),
    ],
  ])('is an error because of %s', async (_, path, text) => {
    put(path, text);
    expect(await verdicts()).toEqual(REFUSED);
    const { stderr } = await invoke(['render', join(folder, 'apps'), '--all']);
    expect(stderr).toContain('Database');
  });

  it('is reported with the file of the RGD, for definitions', async () => {
    put('platform/rgd.yaml', RGD);
    const { stderr } = await invoke(['render', join(folder, 'apps'), '--all']);
    expect(stderr).toMatch(
      /the RGD 'database' in .*platform\/rgd\.yaml defines it\n(.*\n)* {2}hint: read it with --definitions .*rgd\.yaml/,
    );
    const found = await invoke(['render', join(folder, 'apps'), '--definitions', join(folder, 'platform')]);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('name: main') });
  });

  it('is fine if nothing shows that it is one, or if it is left to a controller', async () => {
    put('platform/rgd.yaml', RGD.replace('Database', 'Cache'));
    put('node_modules/a/rgd.yaml', RGD);
    expect(await verdicts()).toEqual(['fine', 'fine', 'another error']);
    put('platform/rgd.yaml', RGD.replace('{name: database}', `{name: database, ${PASSTHROUGH}}`));
    expect(await verdicts()).toEqual(['fine', 'fine', 'another error']);
    put('platform/rgd.yaml', RGD);
    put('apps/main.yaml', DATABASE.replace('namespace: shop', `namespace: shop, ${PASSTHROUGH}`) + OTHER);
    expect(await verdicts()).toEqual(['fine', 'fine', 'another error']);
  });

  it('is an error if a ResourceSet renders it', async () => {
    put('platform/rgd.yaml', RGD);
    const template = DATABASE.replace('kind: Database', 'kind: << inputs.kind >>').replaceAll('\n', '\n    ');
    put(
      'apps/main.yaml',
      `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: shop}
spec:
  inputs: [{kind: Database}]
  resourcesTemplate: |
    ${template}
`,
    );
    expect(await verdicts()).toEqual(REFUSED);
  });

  it('is an error of an application whose plugin renders it', async () => {
    put('platform/rgd.yaml', RGD);
    put(
      'argo.yaml',
      `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  destination: {namespace: shop, server: "https://kubernetes.default.svc"}
  source: {repoURL: "https://example.com/x", path: apps, plugin: {name: render-rgd}}
`,
    );
    rmSync(join(folder, '.git'), { recursive: true });
    git(folder, ['init', '-q']);
    git(folder, ['remote', 'add', 'origin', 'https://example.com/x']);
    commitAll(folder);
    const { code, stderr } = await invoke(['plan', folder, '--output-dir', join(folder, 'out')]);
    const expected = "the RGD 'database' in platform/rgd.yaml defines it";
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(expected) });
  });

  it('is a warning if a file is too large to be searched', async () => {
    put('platform/large.yaml', `# ${'x'.repeat(16_000_000)}\n`);
    const { code, stderr } = await invoke(['render', join(folder, 'apps'), '--all']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/warning\[undefined-kind\] Database.*platform\/large\.yaml is too large/),
    });
    put('apps/crd.yaml', CRD.replace(/, labels: \{.*?\}/, ''));
    expect(await invoke(['render', join(folder, 'apps'), '--all'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('is an error if its group is in groups', async () => {
    const { code, stderr } = await invoke(['render', join(folder, 'apps'), '--all', '--groups', 'db.example.com']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('the option groups has the group') });
    const database = { apiVersion: 'db.example.com/v1', kind: 'Database', metadata: { name: 'main' } };
    const { diagnostics } = render({ objects: [database] }, { groups: ['db.example.com'] });
    expect(diagnostics.map((one) => `${one.severity} ${one.code}`)).toContain('error undefined-kind');
  });

  it('is an error if another RGD renders it', async () => {
    const outer = RGD.replaceAll('Database', 'Shop')
      .replace('{name: database}', '{name: shop}')
      .replace('{apiVersion: v1, kind: ConfigMap', '{apiVersion: db.example.com/v1, kind: Database')
      .replace(', data: {a: b}', '');
    put('apps/main.yaml', `${outer}---\n${DATABASE.replace('kind: Database', 'kind: Shop')}`);
    put('platform/rgd.yaml', RGD);
    const { code, stderr } = await invoke(['render', join(folder, 'apps')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/error\[undefined-kind\] Shop\/main node config/),
    });
  });

  it.each(['render', 'validate'])('of kro.run is an error of %s', async (command) => {
    const { code } = await invoke([command, '-'], DATABASE.replace('db.example.com/v1', 'kro.run/v1alpha1'));
    expect(code).toBe(1);
  });

  it('is a warning of validate, and an error with strict, if nothing describes its kind', async () => {
    const path = join(folder, 'apps');
    const { code, stdout } = await invoke(['validate', path]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('was neither checked nor rendered') });
    expect((await invoke(['validate', path, '--strict'])).code).toBe(1);
    expect((await invoke(['render', path, '--all', '--strict'])).code).toBe(1);
  });
});

function rgdObject(): object {
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'database' },
    spec: { schema: { group: 'db.example.com', apiVersion: 'v1', kind: 'Database' }, resources: [] },
  };
}
