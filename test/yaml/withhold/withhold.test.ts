import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { withheldFrom, withoutSecretValues } from '../../../src/yaml/withhold/index.ts';

/** Any base64 text that says nothing. */
const UNKNOWN = Buffer.from('withheld').toString('base64');

const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: { name: s, labels: { a: b } }\n';
const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m }\ndata: { k: planted }\n';

const rgd = (template: string): string =>
  `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: r }\nspec:\n  resources:\n    - id: s\n      template:\n${template.replace(/^/gm, '        ')}\n`;

/** The documents of a text that `yaml` reads, without the empty ones. */
const documentsIn = (text: string): unknown[] =>
  parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [value];
  });

const withheld = (text: string): unknown[] => documentsIn(withoutSecretValues(text).text);

const isIncomplete = (text: string): boolean => withoutSecretValues(text).isIncomplete;

describe('a text without Secrets', () => {
  it.each([
    ['', false],
    [MAP, false],
    ['a: [\n', false],
    ['kind: ConfigMap\na: [\n', false],
    [`${MAP}---\n${MAP}`, false],
    [rgd(MAP), false],
  ])('is unchanged: %j', (text, expected) => {
    expect(withoutSecretValues(text)).toEqual({ text, isIncomplete: expected });
    expect(withheldFrom(text)).toBeUndefined();
  });
});

describe('a Secret keeps its name, its labels and its type', () => {
  const own = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', labels: { a: 'b' } } };

  it.each([
    ['stringData: { k: planted }\n', {}],
    ['type: Opaque\ndata: { k: cGxhbnRlZA== }\n', { type: 'Opaque' }],
    ['immutable: true\nstringData: { k: planted }\n', { immutable: true }],
    [
      'type: kubernetes.io/tls\ndata: { tls.crt: eA==, tls.key: eA== }\n',
      { type: 'kubernetes.io/tls', data: { 'tls.crt': 'e30=', 'tls.key': 'e30=' } },
    ],
    [
      'type: kubernetes.io/basic-auth\nstringData: { username: planted }\n',
      { type: 'kubernetes.io/basic-auth', data: { username: 'e30=' } },
    ],
    [
      'type: kubernetes.io/ssh-auth\nstringData: { ssh-privatekey: planted }\n',
      { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': 'e30=' } },
    ],
    [
      'type: kubernetes.io/dockerconfigjson\ndata: {}\n',
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } },
    ],
    ['type: kubernetes.io/dockercfg\ndata: {}\n', { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': 'e30=' } }],
  ])('%j', (rest, more) => {
    expect(withheld(SECRET + rest)).toEqual([{ ...own, ...more }]);
    expect(isIncomplete(SECRET + rest)).toBe(false);
  });

  it('beside other documents, which are unchanged', () => {
    const text = `${MAP}---\n${SECRET}stringData: { k: planted }\n---\n${MAP}`;
    expect(withheld(text)).toEqual([...documentsIn(MAP), own, ...documentsIn(MAP)]);
    expect(withheldFrom(withoutSecretValues(text).text)).toBe(MAP.length);
  });

  it('in a list', () => {
    const item = `${SECRET.trim().replaceAll('\n', '\n  ')}\n  stringData: { k: planted }\n`;
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${item}- ${item}`;
    expect(withheld(list)).toEqual([{ apiVersion: 'v1', kind: 'List', items: [own, own] }]);
  });
});

describe('a Secret that an RGD writes keeps its keys and its expressions', () => {
  it('and has no literals', () => {
    const template = `${SECRET}stringData:\n  a: planted\n  b: \${schema.spec.x}\n  c: p-\${schema.spec.x}\n  d: |\n    planted\n  e: "planted"\n  f:\n`;
    const [found] = withheld(rgd(template)) as [{ spec: { resources: { template: { stringData: unknown } }[] } }];
    expect(found.spec.resources[0]?.template.stringData).toEqual({
      a: UNKNOWN,
      b: '${schema.spec.x}',
      c: 'p-${schema.spec.x}',
      d: `${UNKNOWN}\n`,
      e: UNKNOWN,
      f: null,
    });
  });

  it('and a reference to one keeps its name and its selector', () => {
    for (const metadata of ['{ name: s, namespace: web }', '{ selector: { matchLabels: { role: tls } } }']) {
      const reference = rgd(`apiVersion: v1\nkind: Secret\nmetadata: ${metadata}\n`).replace(
        'template:',
        'externalRef:',
      );
      expect(withoutSecretValues(reference)).toEqual({ text: reference, isIncomplete: false });
    }
  });

  it('and tells from where positions are unknown', () => {
    const text = rgd(`${SECRET}stringData:\n  a: \${schema.spec.x}\n  b: planted\n`);
    expect(withheldFrom(withoutSecretValues(text).text)).toBe(text.indexOf('planted'));
    const computed = rgd(`${SECRET}stringData:\n  a: \${schema.spec.x}\n`);
    expect(withoutSecretValues(computed)).toEqual({ text: computed, isIncomplete: false });
  });
});

describe('the literals of a generator', () => {
  it('keep their keys', () => {
    const text =
      'kind: Kustomization\nsecretGenerator:\n- name: s\n  files: [a.txt]\n  literals:\n  - a=planted\n  - b=\nconfigMapGenerator:\n- name: m\n  literals: [c=x]\n';
    expect(withheld(text)).toEqual([
      {
        kind: 'Kustomization',
        secretGenerator: [{ name: 's', files: ['a.txt'], literals: [`a=${UNKNOWN}`, `b=${UNKNOWN}`] }],
        configMapGenerator: [{ name: 'm', literals: ['c=x'] }],
      },
    ]);
  });
});

describe('a document of which nobody knows where its values are', () => {
  it.each([`${SECRET}stringData: { k: planted\n`, `${SECRET}stringData: [\n`])('is removed: %j', (text) => {
    const { text: rest, isIncomplete: isMissing } = withoutSecretValues(`${MAP}---\n${text}---\n${MAP}`);
    expect(isMissing).toBe(true);
    expect(documentsIn(rest)).toEqual([...documentsIn(MAP), ...documentsIn(MAP)]);
    expect(withheldFrom(rest)).toBe(MAP.length);
  });
});
