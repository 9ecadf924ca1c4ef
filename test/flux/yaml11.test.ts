import { describe, expect, it } from 'vitest';
import { render } from '../../src/api/index.ts';

/** The answers are those of flux-operator v0.58 (tools/resourceset-judge). */
function answerOf(spec: object, providers: object[] = []): unknown {
  const set = {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'boats', namespace: 'sea' },
    spec,
  };
  const objects = [set, ...providers].map((one, index) => ({ file: `${index}.yaml`, text: JSON.stringify(one) }));
  const output = render({ objects });
  const [error] = output.diagnostics.filter(({ severity }) => severity === 'error');
  return error === undefined ? output.objects.map((one) => (one as { data?: unknown }).data) : error.code;
}

const entry = (data: object): object => ({
  resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'sea' }, data }],
});
const template = (text: string): object => ({
  resourcesTemplate: `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: sea }\ndata:\n${text}`,
});

describe('a character of which a function cut a part', () => {
  it('is an error where the operator reads YAML', () => {
    expect(answerOf(entry({ a: '<< trunc 1 "é" >>' }))).toBe('rendered-yaml');
    expect(answerOf(template('  a: b # << substr 0 1 "é" >>\n'))).toBe('rendered-yaml');
  });

  it('is written as Go quotes it, and U+FFFD in JSON', () => {
    expect(answerOf(entry({ a: '<< trunc 1 "é" | quote >>' }))).toEqual([{ a: 'Ã' }]);
    const json =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"sea"},"data":{"a":"<< trunc 1 "é" >>"}}';
    expect(answerOf({ resourcesTemplate: json })).toEqual([{ a: '\ufffd' }]);
  });
});

describe('U+0085', () => {
  it('is folded in a text of resources, which the operator reads as YAML 1.1', () => {
    const texts: readonly [string, string][] = [
      ['x\u0085y', 'x y'],
      ['\u0085y', ' y'],
      ['y\u0085', 'y '],
      ['x\u0085\u0085y', 'x\ny'],
      ['x\u0085 \u0085\u0085y', 'x\n\ny'],
      ['x  \u0085  y', 'x y'],
      ['x\t\u0085\ty', 'x\t \ty'],
      ['x\n\u0085y', 'x\n y'],
    ];
    for (const [text, folded] of texts)
      expect(answerOf(entry({ a: text })), JSON.stringify(text)).toEqual([{ a: folded }]);
  });

  it('is a line break of a rendered text', () => {
    const inputs = [{ x: 'a\u0085b' }];
    expect(answerOf({ inputs, ...entry({ a: '<< inputs.x >>' }) })).toBe('rendered-yaml');
    expect(answerOf({ inputs, ...entry({ a: '<< inputs.x | quote >>' }) })).toEqual([{ a: 'a\u0085b' }]);
    expect(answerOf({ inputs, ...entry({ a: '<< inputs.x | toYaml >>' }) })).toEqual([{ a: 'a b' }]);
    expect(answerOf(template('  a: "x\u0085y"\n'))).toEqual([{ a: 'x y' }]);
    expect(answerOf(template('  a: b\u0085  c: d\n'))).toEqual([{ a: 'b', c: 'd' }]);
  });

  it('is an error in a key, and before the end of a document', () => {
    expect(answerOf(entry({ 'x\u0085y': 'z' }))).toBe('resourceset-shape');
    expect(answerOf(template('  a: b\u0085---\n'))).toBe('rendered-yaml');
  });
});

it('spaces of a layout match any number of spaces', () => {
  const text = '<< (mustToDate "  pad  " "  pad  ").Year | toString | quote >>';
  expect(answerOf(entry({ a: text }))).toEqual([{ a: '0' }]);
});

it('a control character of an entry is an error', () => {
  for (const char of ['\u007f', '\u0080', '\u009f', '\ufffe', '\uffff']) {
    expect(answerOf(entry({ a: `x${char}y` })), JSON.stringify(char)).toBe('resourceset-shape');
    expect(answerOf({ inputs: [{ x: char }], ...entry({ a: '<< inputs.x | quote >>' }) })).toEqual([{ a: char }]);
  }
  for (const char of ['\u00a0', '\ufeff', '\ue000']) expect(answerOf(entry({ a: char }))).toEqual([{ a: char }]);
});

it('a directive in a rendered text is an error', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: sea }\n';
  for (const directive of ['%YAML 1.1', '%YAML 1.2', '%TAG ! tag:x,2000:']) {
    expect(answerOf({ resourcesTemplate: `${directive}\n---\n${text}` })).toBe('rendered-yaml');
    expect(answerOf({ resourcesTemplate: `${text}---\n# first\n${directive}\n---\n${text}` })).toBe('rendered-yaml');
  }
  expect(answerOf({ resourcesTemplate: `${text}data:\n  a: |\n    %YAML\n` })).toEqual([{ a: '%YAML\n' }]);
});

it('a set of which every object is disabled is empty, as in the operator', () => {
  const annotations = { 'fluxcd.controlplane.io/reconcile': 'disabled' };
  const metadata = { name: 'c', namespace: 'sea', annotations };
  expect(answerOf({ resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }] })).toEqual([]);
  expect(answerOf({ resources: [] })).toBe('no-objects');
});

describe('a provider', () => {
  const provider = (spec: object): object => ({
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSetInputProvider',
    metadata: { name: 'p', namespace: 'sea' },
    spec,
    status: { exportedInputs: [{ id: '1', x: 'word' }] },
  });
  const from = { inputsFrom: [{ name: 'p' }], ...entry({ a: '<< inputs.x >>' }) };
  const git = { type: 'GitHubTag', url: 'https://git.example/sea/boats' };

  it('gives the inputs of its status, whatever service it asks', () => {
    expect(answerOf(from, [provider(git)])).toEqual([{ a: 'word' }]);
    expect(answerOf(from, [provider({ type: 'OCIArtifactTag', url: 'oci://registry.example/a/b' })])).toEqual([
      { a: 'word' },
    ]);
  });

  it('is checked as its CRD checks it', () => {
    const refused: readonly object[] = [
      { type: 'Static', url: 'https://git.example' },
      { type: 'ExternalArtifact', url: 'https://git.example', selectors: [{ name: 'a' }] },
      { type: 'GitHubTag', url: 'oci://git.example' },
      { type: 'AzureDevOpsTag', url: 'oci://git.example' },
      { type: 'AWSCodeCommitTag', url: 'http://git.example' },
      { type: 'OCIArtifactTag', url: 'https://registry.example/a' },
      { type: 'OCIArtifactTag', url: 'oci://registry.example' },
      { type: 'ExternalService', url: 'oci://registry.example/a' },
      { type: 'ExternalService', url: 'http://service.example' },
      { ...git, insecure: true },
      { ...git, serviceAccountName: 'a' },
      { ...git, selectors: [{ name: 'a' }] },
      { type: 'AWSCodeCommitTag', url: 'https://git.example', secretRef: { name: 'a' } },
      { type: 'AzureDevOpsTag', url: 'https://git.example', certSecretRef: { name: 'a' } },
      { type: 'ExternalArtifact', selectors: [{ name: 'a', matchLabels: { a: 'b' } }] },
    ];
    const absent: readonly object[] = [{ type: 'GitHubTag' }, { type: 'ExternalArtifact' }];
    for (const spec of absent) expect(answerOf(from, [{ ...provider(spec), status: {} }])).toBe('resourceset-shape');
    for (const spec of absent) expect(answerOf(from, [provider(spec)])).toEqual([{ a: 'word' }]);
    for (const spec of refused)
      expect(answerOf(from, [provider(spec)]), JSON.stringify(spec)).toBe('resourceset-shape');
    expect(answerOf(from, [provider({ ...git, secretRef: { name: 'a' }, insecure: false })])).toEqual([{ a: 'word' }]);
  });
});
