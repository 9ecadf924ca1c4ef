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
});
