import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import table from '../../../data/gitops-fields.json';
import { controllerKinds, readKindName, type Schema } from '../../../src/kubernetes/schema/index.ts';
import { planOf, type Texts } from './repository.ts';

interface Row {
  read?: string;
  noEffect?: string;
  unsupported?: boolean;
  type?: string;
}
const types: Readonly<Record<string, Readonly<Record<string, Row>>>> = table.types;
const keys: Readonly<Record<string, Row>> = table.keys;

/** The fields of a schema that the table does not have, and the rows that it used. */
function missingIn(schema: Schema, type: string, path: string, used: Set<string>): string[] {
  if (schema.items !== undefined) return missingIn(schema.items, type, path, used);
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]): string[] => {
    const at = `${path}.${name}`;
    if (['apiVersion', 'kind', 'metadata', 'status'].includes(at.slice(1))) return [];
    const row = types[type]?.[name];
    if (row === undefined) return [at];
    used.add(`${type}.${name}`);
    if (row.type !== undefined) return missingIn(part, row.type, at, used);
    const hasFields = (part.items ?? part).properties !== undefined;
    const isWhole =
      row.unsupported === true || row.noEffect !== undefined || /written\.ts|src\/flux$/.test(row.read ?? '');
    return hasFields && !isWhole ? [`${at} (has fields of its own)`] : [];
  });
}

/** The newest version of each kind of the table. */
const schemas = Object.entries(table.kinds).map(([kind, type]) => {
  const names = [...controllerKinds.names()].filter((name) => {
    const gvk = readKindName(name);
    return `${gvk.kind}.${gvk.group}` === kind;
  });
  const schema = controllerKinds.find(readKindName(names.at(-1) ?? ''))?.schema;
  if (schema === undefined) throw new Error(`${kind} has no schema`);
  return { kind, type, schema };
});

describe('the table of fields of Argo CD and Flux', () => {
  it.each(schemas)('has every field of $kind', ({ type, schema }) => {
    expect(missingIn(schema, type, '', new Set())).toEqual([]);
  });

  it('has no field that no CRD has', () => {
    const used = new Set<string>();
    for (const { type, schema } of schemas) missingIn(schema, type, '', used);
    const rows = Object.entries(types).flatMap(([type, fields]) =>
      Object.keys(fields).map((name) => `${type}.${name}`),
    );
    expect(rows.filter((row) => !used.has(row))).toEqual([]);
  });

  it.each(schemas)('lacks a field that a release adds to $kind', ({ type, schema }) => {
    const spec = schema.properties?.spec;
    if (spec === undefined || types[type]?.spec?.type === undefined) return;
    const added: Schema = { ...spec, properties: { ...spec.properties, brandNew: { type: 'string' } } };
    const copy: Schema = { ...schema, properties: { ...schema.properties, spec: added } };
    expect(missingIn(copy, type, '', new Set())).toEqual(['.spec.brandNew']);
  });

  it('has every label, annotation and finalizer of the controllers', () => {
    const recorded: unknown = JSON.parse(readFileSync(new URL('controller-keys.json', import.meta.url), 'utf8'));
    expect(Object.keys(keys)).toEqual(recorded);
  });

  it('names files that exist, and one verdict for each row', () => {
    const rows = [...Object.values(types), keys].flatMap((fields) => Object.values(fields));
    for (const row of rows) {
      expect([row.read, row.noEffect, row.unsupported].filter(Boolean)).toHaveLength(1);
      if (row.read !== undefined) expect(existsSync(row.read), row.read).toBe(true);
    }
  });
});

/** Fields that a file reads without their names: it hands over the map that has them, or compares it as it is written. */
const WITH_THEIR_MAP: readonly string[] = [
  'Patch',
  'KustomizePatch',
  'Selector',
  'LabelSelector',
  'LabelSelectorRequirement',
  'Decryption',
  'HelmReleaseSpec.install',
  'OCIRepository.spec',
  'HelmRepository.spec',
  'HelmChart.spec',
  'Bucket.spec',
  'ExternalArtifact.spec',
];

describe('a file that the table says reads a field', () => {
  const rows = [...Object.entries(types), ['', keys] as const].flatMap(([type, fields]) =>
    Object.entries(fields).flatMap(([name, { read }]) => {
      const isFile = read?.endsWith('.ts') === true && !name.startsWith('resources-finalizer');
      const isOwn = !WITH_THEIR_MAP.includes(type) && !WITH_THEIR_MAP.includes(`${type}.${name}`);
      return isFile && isOwn ? [[`${type}.${name}`, name, read] as const] : [];
    }),
  );

  it.each(rows)('has its name: %s', (_, name, file) => {
    const word = new RegExp(`(?<!\\w)${(name.split('/').at(-1) ?? '').replace('.', '\\.')}(?!\\w)`);
    expect(readFileSync(file, 'utf8')).toMatch(word);
  });
});

describe('an object with a field that is not supported', () => {
  const app = (more: string): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a, namespace: argocd }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: x }\n  source: { repoURL: https://git.example.com/r.git, path: t }\n${more}`;
  const files = (more: string, value = '1'): Texts => ({
    'a.yaml': app(more),
    't/m.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m }\ndata: { v: "${value}" }\n`,
  });
  const unsupported = '  syncPolicy: { managedNamespaceMetadata: { labels: { a: b } } }\n';

  it.each([
    ['before', files(unsupported), files('')],
    ['after', files(''), files(unsupported)],
    ['in both versions', files(unsupported), files(unsupported, '2')],
  ])('is not compared if it is set %s', (_, before, after) => {
    expect(planOf(before, after).applications).toMatchObject([
      {
        isForeign: true,
        error: expect.stringMatching(/its field spec.syncPolicy.managedNamespaceMetadata is not supported$/),
      },
    ]);
  });

  it('is not compared if a sync leaves fields as they are that only the cluster knows', () => {
    const rule = '  ignoreDifferences: [{ kind: ConfigMap, managedFieldsManagers: [other] }]\n';
    const respects = `${rule}  syncPolicy: { syncOptions: [RespectIgnoreDifferences=true] }\n`;
    expect(planOf(files(respects), files(respects, '2')).applications).toMatchObject([
      { error: 'its field spec.ignoreDifferences[0].managedFieldsManagers is not supported' },
    ]);
    expect(planOf(files(rule), files(rule, '2')).applications).toMatchObject([{ changes: [{ change: 'changed' }] }]);
  });
});

describe('a source of Flux', () => {
  const source = (spec: string): string =>
    `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: g, namespace: apps }\nspec: { interval: 1m, url: https://git.example.com/r.git, ref: { branch: main }${spec} }\n`;
  const kustomization =
    'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: k, namespace: apps }\nspec: { interval: 1m, prune: true, path: ./t, sourceRef: { kind: GitRepository, name: g } }\n';
  const object = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m, namespace: apps }\ndata: { v: "${value}" }\n`;
  const files = (spec: string, value: string): Texts => ({
    'c/g.yaml': source(spec),
    'c/k.yaml': kustomization,
    't/m.yaml': object(value),
  });

  it('that is suspended deploys no change, and it is not known what it deploys', () => {
    const [changed] = planOf(files(', suspend: true', '1'), files(', suspend: true', '2')).applications;
    expect(changed?.changes ?? []).toEqual([]);
    expect(planOf(files(', suspend: true', '1'), files('', '2')).applications).toMatchObject([
      { error: 'the older version is not rendered: its GitRepository is suspended' },
    ]);
    expect(planOf(files('', '1'), files('', '2')).applications).toMatchObject([{ changes: [{ change: 'changed' }] }]);
  });
});

describe('a FluxInstance', () => {
  const instance = (patches: string): string =>
    `apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: { name: flux, namespace: flux-system }\nspec: { distribution: { version: 2.x, registry: ghcr.io/fluxcd }, sync: { kind: GitRepository, url: https://git.example.com/r.git, ref: refs/heads/main, path: c }, kustomize: { patches: [${patches}] } }\n`;
  const files = (patches: string, value: string): Texts => ({
    'c/flux.yaml': instance(patches),
    'c/m.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m, namespace: apps }\ndata: { v: "${value}" }\n`,
  });

  // flux-operator builds the source and the Kustomization with the controllers, so that patches may change them.
  it.each([
    ['{ target: { kind: Kustomization }, patch: x }'],
    ['{ target: { kind: "(Deployment|GitRepository)" }, patch: x }'],
    ['{ target: { kind: ".*" }, patch: x }'],
    ['{ patch: x }'],
  ])('is not compared if it has a patch for what it synchronizes: %s', (patch) => {
    expect(planOf(files(patch, '1'), files(patch, '2')).applications).toMatchObject([
      { error: 'a patch of the FluxInstance flux may change it' },
    ]);
  });

  it.each([['{ target: { kind: Deployment }, patch: x }'], ['{ target: { kind: (Deployment|Service) }, patch: x }']])(
    'is compared with a patch of the controllers: %s',
    (patch) => {
      const { applications } = planOf(files(patch, '1'), files(patch, '2'));
      expect(applications).toMatchObject([{ changes: [{ change: 'changed' }] }]);
    },
  );
});
