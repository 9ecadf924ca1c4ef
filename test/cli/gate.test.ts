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
      expect.stringMatching(/^ {2}covered: /),
    ]);
  });

  it('counts a generated instance and its smaller copy once', async () => {
    const { rgds } = await verdictOf(
      rgd({ spec: 'size: integer | maximum=9' }),
      rgd({ spec: 'size: integer | maximum=5' }),
    );
    const [{ changes, rejected }] = rgds;
    const shown = changes.find(({ change }: { change: string }) => change === 'instance-rejected');
    expect(rejected.length).toBe(1);
    expect(shown.message).not.toContain('more)');
  });

  it('says what generated instances did not cover, and which ones the old version does not render', async () => {
    const nodes = `
  - id: extra
    includeWhen: ["\${schema.spec.size == 123456 * 1000}"]
    template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}-extra" }, data: { a: b } }
`;
    const fails = { data: 'a: "${string(100 / schema.spec.size)}"', nodes };
    const [one] = (await verdictOf(rgd(fails), rgd({ ...fails, metadata: ', labels: { a: b }' }))).rgds;
    expect([one.level, one.notCompared]).toEqual(['patch', 0]);
    expect(one.generatedNotCompared).toBeGreaterThan(0);
    expect(one.covered.old.missed.map(({ node, what }: Record<string, string>) => `${node} ${what}`)).toEqual([
      'extra node',
      'extra true',
    ]);
    expect(one.covered.new.reached).toBe(one.covered.new.all - 2);
    expect(one.covered.optionalFields).toEqual({ reached: 0, all: 1, missed: ['spec.size'] });
    const { lines } = await gate(rgd(fails), rgd({ ...fails, metadata: ', labels: { a: b }' }));
    expect(lines.find((line) => line.startsWith('  not covered: '))).toBe(
      '  not covered: old old.yaml:19:9 node extra: never rendered; old old.yaml:20:22 node extra: includeWhen is never true; new new.yaml:19:9 node extra: never rendered; new new.yaml:20:22 node extra: includeWhen is never true; optional field spec.size',
    );
  });

  it('says that more instances could be generated', async () => {
    const fields = Array.from({ length: 40 }, (_, index) => `f${index}: string`).join(', ');
    const [one] = (await verdictOf(rgd({ spec: fields }), rgd({ spec: fields, data: 'a: c' }))).rgds;
    expect([one.generated, one.moreToGenerate]).toEqual([60, true]);
    const [few] = (await verdictOf(rgd({}), rgd({ data: 'a: c' }))).rgds;
    expect(few.moreToGenerate).toBe(false);
  });

  it('knows nothing of a change if the old version renders no instance', async () => {
    const broken = { data: 'a: "${string(1 / 0)}"' };
    const { rgds } = await verdictOf(rgd(broken), rgd({ ...broken, metadata: ', labels: { a: b }' }));
    expect([rgds[0].level, rgds[0].changes[0].change]).toEqual(['unknown', 'nothing-compared']);
  });

  it('does not compare a node that one version leaves pending', async () => {
    const claimed = `
  - id: volume
    template: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: "\${schema.metadata.name}" }, spec: {} }
`;
    const reader = (condition: string, value = 'b'): string => `${claimed}
  - id: reader
    includeWhen: ["${condition}"]
    template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}-reader" }, data: { a: ${value} } }
`;
    const spec = 'size: integer | default=1';
    const known = { spec, nodes: reader('${schema.spec.size != 77}') };
    const pending = { spec, nodes: reader("${volume.status.phase == 'Bound'}") };
    const levels = async (before: Version, after: Version): Promise<string[]> => {
      const [one] = (await verdictOf(rgd(before), rgd(after))).rgds;
      return [one.level, one.changes[0]?.change ?? '', `${one.pendingNodes}`];
    };
    expect(await levels(known, pending)).toEqual(['unknown', 'node-not-compared', '0']);
    expect(await levels(pending, known)).toEqual(['unknown', 'node-not-compared', '0']);
    const other = { spec, nodes: reader("${volume.status.phase == 'Bound'}", 'c') };
    expect(await levels(pending, other)).toEqual(['unknown', 'node-not-compared', '0']);
    expect(await levels(pending, { ...pending, data: 'a: c' })).toEqual(['minor', 'object-changed', '1']);
    // What is known to be major decides.
    expect(await levels(known, { ...pending, name: 'x' })).toEqual(['major', 'object-replaced', '0']);
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
    // The change of an object of a nested instance is in the RGD of the nested instance.
    const { rgds: changed } = await verdictOf(`${rgd({})}${outer}`, `${rgd({ data: 'a: c' })}${outer}`);
    const { before, after } = changed.find(({ name }: { name: string }) => name === 'outer').changes[0];
    const field = 'spec.resources[0].template.data.a';
    expect([before, after]).toMatchObject([
      { field, line: 17 },
      { field, line: 17 },
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

describe('a release of Kubernetes in the verdict', () => {
  const claims = (version: string): string =>
    rgd({
      nodes: `
  - id: claim
    template:
      apiVersion: resource.k8s.io/${version}
      kind: ResourceClaim
      metadata: { name: "\${schema.metadata.name}" }
      spec: { devices: {} }
`,
    });

  it('is major if the release will not serve a kind that the RGD renders', async () => {
    const { stdout } = await gate(claims('v1beta1'), claims('v1beta1'), '--kubernetes', '1.38', '-o', 'json');
    const [verdict] = JSON.parse(stdout).rgds;
    expect(verdict).toMatchObject({ level: 'major', changes: [{ change: 'api-removed', level: 'major' }] });
  });

  it('does not change for a kind that the release serves', async () => {
    const { stdout } = await gate(claims('v1'), claims('v1'), '--kubernetes', '1.37', '-o', 'json');
    expect(JSON.parse(stdout).rgds).toMatchObject([{ level: 'none' }]);
  });

  it('fails a release that promises less', async () => {
    const { code, stdout } = await gate(
      claims('v1beta1'),
      claims('v1beta1'),
      '--kubernetes',
      '1.38',
      '--require',
      'minor',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('error[change-too-large]');
  });
});
