import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import schema from '../../data/compat.schema.json';
import { invoke } from './invoke.ts';

const valid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

/** A part of an RGD that a version changes. */
interface Version {
  spec?: string;
  data?: string;
  name?: string;
  nodes?: string;
  kind?: string;
  metadata?: string;
  more?: string;
}

const rgd = ({ spec = 'size: integer', data = 'a: b', name = '${schema.metadata.name}', ...one }: Version): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site${one.metadata ?? ''} }
spec:
  schema:
    apiVersion: v1
    kind: ${one.kind ?? 'Site'}
${one.more ?? ''}
    spec: { ${spec} }
  resources:
  - id: conf
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "${name}" }
      data: { ${data} }
${one.nodes ?? ''}
`;
const claim = (size: string, id = 'claim'): string => `
  - id: ${id}
    template:
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: "\${schema.metadata.name}" }
      spec: { storageClassName: ${size}, accessModes: [ReadWriteOnce] }
`;
const instance = (name: string, spec: string): string =>
  `\n---\napiVersion: kro.run/v1\nkind: Site\nmetadata: { name: ${name}, namespace: web }\nspec: { ${spec} }\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-gate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);
async function gate(before: string, after: string, ...options: string[]) {
  writeFileSync(path('old.yaml'), before);
  writeFileSync(path('new.yaml'), after);
  const result = await invoke(['compat', path('old.yaml'), path('new.yaml'), ...options]);
  return { ...result, lines: result.stdout.replaceAll(`${folder}/`, '').split('\n') };
}
const verdictOf = async (before: string, after: string) => {
  const { stdout } = await gate(before, after, '-o', 'json');
  const value = JSON.parse(stdout);
  expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
  return value;
};

describe('the verdict of compat', () => {
  const one = instance('one', 'size: 3');
  it.each<[string, Version, Version, level: string, change: string, kro: string]>([
    ['a comment only', {}, { more: '# note' }, 'none', '', 'accepts'],
    ['a label of the RGD', {}, { metadata: ', labels: { a: b }' }, 'patch', 'definition-changed', 'accepts'],
    [
      'a description',
      {},
      { spec: 'size: integer | description="how many"' },
      'patch',
      'description-changed',
      'accepts',
    ],
    ['an optional field', {}, { spec: 'size: integer, title: string' }, 'minor', 'property-added', 'accepts'],
    [
      'a wider bound',
      { spec: 'size: integer | maximum=5' },
      { spec: 'size: integer | maximum=9' },
      'minor',
      'maximum-increased',
      'accepts',
    ],
    [
      'a narrower bound',
      { spec: 'size: integer | maximum=9' },
      { spec: 'size: integer | maximum=5' },
      'major',
      'maximum-decreased',
      'refuses',
    ],
    ['a removed field', { spec: 'size: integer, title: string' }, {}, 'major', 'property-removed', 'refuses'],
    ['another type', {}, { spec: 'size: string' }, 'major', 'type-changed', 'refuses'],
    ['a changed object', {}, { data: 'a: c' }, 'minor', 'object-changed', 'accepts'],
    ['another name of an object', {}, { name: 'x-${schema.metadata.name}' }, 'major', 'object-replaced', 'accepts'],
    ['a new object', {}, { nodes: claim('slow') }, 'minor', 'object-added', 'accepts'],
    ['a deleted object with data', { nodes: claim('slow') }, {}, 'major', 'object-lost', 'accepts'],
    ['an immutable field', { nodes: claim('slow') }, { nodes: claim('fast') }, 'major', 'object-lost', 'accepts'],
    ['another kind', {}, { kind: 'Page' }, 'major', 'kind-changed', 'refuses'],
    [
      'a failing expression',
      {},
      { data: 'a: "${string(1 / (schema.spec.size - 3))}"' },
      'major',
      'instance-not-rendered',
      'accepts',
    ],
  ])('about %s', async (_, before, after, level, change, kro) => {
    const { rgds, level: highest } = await verdictOf(rgd(before) + one, rgd(after) + one);
    const [first] = rgds;
    expect([highest, first.level, first.changes[0]?.change ?? '', first.kro]).toEqual([level, level, change, kro]);
  });

  it('names the change that decides, its lines, both facts and what to do', async () => {
    const old = rgd({ spec: 'size: integer | maximum=9' });
    const { code, lines } = await gate(
      `${old}${instance('one', 'size: 7')}`,
      rgd({ spec: 'size: integer | maximum=5' }),
    );
    expect(code).toBe(1);
    expect(lines.slice(0, 7)).toEqual([
      'major: ResourceGraphDefinition/site: the maximum fell from 9 to 5 (maximum-decreased)',
      '  old: old.yaml:10:19 spec.schema.spec.size',
      '  new: new.yaml:10:19 spec.schema.spec.size',
      '  kro: refuses the update: the CRD and the instances stay as they are',
      '  the new schema rejects: Site/one (old.yaml), 1 generated instance',
      expect.stringMatching(/^ {2}compared: 1 instance and \d+ generated instances$/),
      expect.stringMatching(/^ {2}other changes: /),
    ]);
  });

  it('tells a refused update from a rejected instance', async () => {
    // kro 0.9 does not compare enums: nothing is refused, and the schema in force does not change.
    const old = rgd({ spec: 'env: string' }) + instance('one', 'env: test');
    const [ignored] = (await verdictOf(old, rgd({ spec: 'env: \'string | enum="dev,prod"\'' }))).rgds;
    expect([ignored.kro, ignored.rejected[0]]).toEqual(['ignores', { instance: 'Site/one' }]);
    const allowed = rgd({
      spec: 'env: integer',
      metadata: ', annotations: { kro.run/allow-breaking-changes: "true" }',
    });
    const [accepted] = (await verdictOf(old, allowed)).rgds;
    expect([accepted.level, accepted.kro, accepted.rejected[0]]).toEqual([
      'major',
      'accepts',
      { instance: 'Site/one' },
    ]);
  });

  it('is about each RGD, the highest first, and about those that are new, gone or broken', async () => {
    const other = (name: string, more = ''): string =>
      `\n---${rgd({}).replace('name: site', `name: ${name}`).replace('kind: Site', `kind: ${name.toUpperCase()}`)}${more}`;
    const old = `${rgd({})}${other('same')}${other('gone')}${other('broken')}`;
    const newer = `${rgd({ spec: 'size: integer, b: string' })}${other('same')}${other('fresh')}${other('broken').replace('integer', 'integger')}`;
    const { rgds } = await verdictOf(old, newer);
    expect(rgds.map(({ name, level }: { name: string; level: string }) => `${level} ${name}`)).toEqual([
      'unknown broken',
      'major gone',
      'minor site',
      'minor fresh',
      'none same',
    ]);
  });

  it('compares an RGD that did not change if it renders instances of one that did', async () => {
    const outer = `
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: outer }
spec:
  schema: { apiVersion: v1, kind: Outer, spec: {} }
  resources:
  - id: inner
    template: { apiVersion: kro.run/v1, kind: Site, metadata: { name: "\${schema.metadata.name}" }, spec: { size: 1 } }
---
{ apiVersion: kro.run/v1, kind: Outer, metadata: { name: one, namespace: web }, spec: {} }
`;
    const { rgds } = await verdictOf(`${rgd({})}${outer}`, `${rgd({ name: 'x' })}${outer}`);
    expect(rgds.map(({ name, level }: { name: string; level: string }) => `${level} ${name}`)).toEqual([
      'major site',
      'major outer',
    ]);
  });

  it('prints a table as Markdown', async () => {
    const { stdout } = await gate(rgd({ data: 'a: "|"' }) + one, rgd({ name: 'x' }) + one, '-o', 'markdown');
    expect(stdout).toMatch(/^\*\*major\*\*\./);
    expect(stdout).toContain('| **major** | site | replaced ConfigMap');
    expect(stdout).toContain('<details><summary>major: ResourceGraphDefinition/site');
  });
});

describe('compat --require', () => {
  const wider = rgd({ spec: 'size: integer, b: string' });
  it.each([
    [rgd({}), rgd({}), 'patch', 0],
    [rgd({}), wider, 'patch', 1],
    [rgd({}), wider, 'minor', 0],
    [rgd({}) + instance('one', ''), rgd({ name: 'x' }), 'minor', 1],
    [rgd({}) + instance('one', ''), rgd({ name: 'x' }), 'major', 0],
  ])('fails above the level: %#', async (before, after, require, expected) => {
    const { code, stdout } = await gate(before, after, '--require', require);
    expect(code).toBe(expected);
    expect(stdout.includes('error[change-too-large]')).toBe(expected === 1);
  });

  it.each([
    ['1.2.3', '1.2.4', 1],
    ['1.2.3', '1.3.0', 0],
    ['v1.2.3', 'v2.0.0', 0],
    ['1.3.0', '1.2.9', 1],
    ['1.2.3', '1.2.3', 1],
    ['0.2.3', '0.2.4', 0],
    ['0.2.3', '0.2.3', 1],
    ['1.2.3', 'new', 1],
    ['1.2.3-rc.1', '1.3.0+build', 0],
  ])('holds the version in a label to its word: %s to %s for a minor change', async (was, is, expected) => {
    const labelled = (text: string, version: string): string =>
      text.replace('name: site', `name: site, labels: { example.com/version: "${version}" }`);
    const { code } = await gate(labelled(rgd({}), was), labelled(wider, is), '--require-label', 'example.com/version');
    expect(code).toBe(expected);
  });

  it('reads the version from an annotation, and asks for one that is missing', async () => {
    const annotated = wider.replace('name: site', 'name: site, annotations: { v: "1.0.0" }');
    const { code, stdout } = await gate(rgd({}), annotated, '--require-label', 'v');
    expect(code).toBe(1);
    expect(stdout).toContain('the old version has no semantic version in the label or annotation v, such as 1.4.0');
  });
});

it('publishes the schema of its JSON', async () => {
  const { stdout } = await invoke(['schema', 'compat']);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync('data/compat.schema.json', 'utf8')));
});
