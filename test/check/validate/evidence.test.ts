import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { writeReport } from '../../../src/check/reports/index.ts';
import { type Validation, validatePackage } from '../../../src/check/validate/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { tallyOf } from '../../../src/core/ledger/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

type Files = ReadonlyMap<string, string>;

const filesOf = (files: Readonly<Record<string, string>>): Files => new Map(Object.entries(files));

function evidenceOf(files: Files): Validation['evidence'] {
  const texts = [...files].map(([file, text]) => ({ file, text }));
  const objects = readStreams(texts, new Collector());
  return validatePackage({ objects }, { ...defaultRenderOptions, experimental: ['graph'] }).evidence;
}

/** Returns the last line of the text report, as far as it does not count diagnostics. */
function verdictOf(files: Files): string {
  const report = { command: 'validate', version: '', diagnostics: [], files: [], sources: new Map(), colors: false };
  return writeReport('text', { ...report, evidence: evidenceOf(files) })
    .replace('0 objects in 0 files: ', '')
    .trim();
}

/** Counts the objects of a text with a YAML library of others. */
function objectsIn(text: string): number {
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const { apiVersion, kind, items } = value as Record<string, unknown>;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return 0;
    if (!kind.endsWith('List') || !Array.isArray(items)) return 1;
    return items.reduce<number>((sum, item) => sum + count({ apiVersion: 'v1', kind: 'Item', ...item }), 0);
  };
  return parseAllDocuments(text, { version: '1.1', uniqueKeys: false, merge: true })
    .map((document) => (document.errors.length > 0 ? 0 : count(document.toJS({ maxAliasCount: -1 }))))
    .reduce((sum, one) => sum + one, 0);
}

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));

function* yamlFilesIn(folder: string): Iterable<string> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* yamlFilesIn(path);
    else if (/\.ya?ml$/.test(name)) yield path;
  }
}

describe('the evidence of a validation', () => {
  // examples/ci has the workflow of a repository, and no objects.
  const folders = readdirSync(examples).filter((name) => name !== 'ci' && statSync(join(examples, name)).isDirectory());

  it.each(folders)('has one outcome for each object of examples/%s', (name) => {
    let all = 0;
    for (const path of yamlFilesIn(join(examples, name))) {
      const text = readFileSync(path, 'utf8');
      const tally = tallyOf(evidenceOf(new Map([[path, text]])).given);
      expect(tally.all, path).toBe(objectsIn(text));
      expect(tally.seen + tally.failed + tally.unseen + tally.irrelevant, path).toBe(tally.all);
      all += tally.all;
    }
    expect(all).toBeGreaterThan(0);
  });

  const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const WIDGET = 'apiVersion: widgets.example.com/v1\nkind: Widget\nmetadata: {name: a}\n';
  const ISSUER = 'apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: a}\n';

  it('says that nothing is wrong only if everything was checked', () => {
    expect(verdictOf(filesOf({ 'a.yaml': CONFIG_MAP }))).toBe('nothing wrong');
    expect(verdictOf(filesOf({ 'a.yaml': CONFIG_MAP, 'b.yaml': ISSUER, 'c.yaml': WIDGET }))).toBe(
      '1 checked, 2 not checked (Issuer.cert-manager.io: no schema; Widget.widgets.example.com: no RGD)',
    );
  });

  it('counts an object that is left to a controller', () => {
    const left = WIDGET.replace('{name: a}', '{name: a, annotations: {render-rgd.dev/mode: passthrough}}');
    expect(verdictOf(filesOf({ 'a.yaml': left }))).toBe('nothing to check; 1 left out on request (Widget/a)');
  });

  it('says so if nothing of the input is applied as it is written', () => {
    const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n';
    expect(verdictOf(filesOf({ 'kustomization.yaml': kustomization }))).toBe('nothing to check');
  });

  it('counts rendered objects without a schema', () => {
    const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: web}
spec:
  inputs: [{name: a}, {name: b}]
  resources:
    - apiVersion: cert-manager.io/v1
      kind: Issuer
      metadata: {name: << inputs.name >>, namespace: web}
    - apiVersion: v1
      kind: ConfigMap
      metadata: {name: << inputs.name >>, namespace: web}
`;
    expect(verdictOf(filesOf({ 'a.yaml': set }))).toBe(
      '2 of 4 rendered objects not checked (2 Issuer.cert-manager.io: no schema)',
    );
  });

  it('counts values that a tool replaces', () => {
    const text = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: "${PORT}"}]}\n';
    expect(verdictOf(filesOf({ 'a.yaml': text }))).toBe('1 value not checked: a tool replaces them');
  });

  it('has the outcome of an instance whose RGD has an error', () => {
    const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: web}
spec:
  schema: {apiVersion: v1alpha1, kind: Web, spec: {host: strin}}
  resources: []
`;
    const instance = 'apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata: {name: a, namespace: b}\n';
    const entries = evidenceOf(filesOf({ 'a.yaml': rgd, 'b.yaml': instance })).given;
    expect(entries.map(({ outcome }) => outcome)).toEqual([{ is: 'failed' }, { is: 'unseen', why: 'not-reached' }]);
  });
});
