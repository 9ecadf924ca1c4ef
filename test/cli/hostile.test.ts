import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../src/core/model/object.ts';
import { get } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { invoke } from './invoke.ts';

/** Names of inherited properties of JavaScript objects. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

const packageOf = (spec: string, resources: string, instance: string): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: thing}
spec:
  schema: {apiVersion: v1alpha1, kind: Thing, ${spec}}
  resources: [${resources}]
---
{apiVersion: kro.run/v1alpha1, kind: Thing, metadata: {name: a, namespace: d}, spec: ${instance}}
`;
const configMap = (more: string): string =>
  `{id: map, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: m}, ${more}}}`;

async function rendered(text: string): Promise<KubeObject[]> {
  const { code, stdout, stderr } = await invoke(['render', '-'], text);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readStream(stdout).documents.map(({ value }) => value as KubeObject);
}

/** Returns the errors of the command for an input that it rejects. */
async function refused(stdin: string | Uint8Array, args = ['render', '-']): Promise<string> {
  const { code, stdout, stderr } = await invoke(args, stdin);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
}

describe.each(NAMES)('the name %s', (name) => {
  it('works as a field, a type and a key', async () => {
    // Escaped as an API server does it in CEL.
    const escaped = name.replaceAll('__', '__underscores__');
    const spec = `types: {${name}: string}, spec: {${name}: ${name}}`;
    const [object] = await rendered(
      packageOf(spec, configMap(`data: {${name}: "\${schema.spec.${escaped}}"}`), `{${name}: value}`),
    );
    expect(Object.getOwnPropertyDescriptor(object?.data, name)?.value).toBe('value');
  });

  it('works as a label and a key of any map, if Kubernetes accepts it', async () => {
    const text = packageOf(
      'spec: {all: "map[string]string"}',
      configMap('data: "${schema.spec.all}"'),
      `{all: {${name}: value}}`,
    );
    const [object] = await rendered(text);
    expect(Object.getOwnPropertyDescriptor(object?.data, name)?.value).toBe('value');
    const labelled = text.replace('metadata: {name: m}', `metadata: {name: m, labels: {${name}: x}}`);
    const { code, stderr } = await invoke(['render', '-'], labelled);
    expect([code, stderr.includes('is not a valid label') || stderr.includes('label key')]).toEqual(
      name.startsWith('_') ? [1, true] : [0, false],
    );
  });

  it('is not found as an undeclared node or iterator, and is found as a declared one', async () => {
    const unknown = packageOf('spec: {}', configMap(`data: {a: "\${${name}}"}`), '{}');
    expect(await refused(unknown)).toContain(`'${name}' is neither 'schema' nor a node of this graph`);
    const node = configMap('data: {}').replace('id: map', `id: ${name}`);
    const reader = configMap(`data: {a: "\${${name}.metadata.name}"}`).replace('name: m', 'name: reader');
    const { code, stderr } = await invoke(['render', '-'], packageOf('spec: {}', `${node}, ${reader}`, '{}'));
    expect({ code, stderr }).toEqual(
      name.startsWith('_') ? { code: 1, stderr: expect.stringContaining('error[node-id]') } : { code: 0, stderr: '' },
    );
  });
});

describe('texts in other encodings', () => {
  const text = packageOf('spec: {a: string}', configMap('data: {a: "${schema.spec.a}"}'), '{a: "--- ... é"}');

  it('may start with a byte order mark and end lines with CRLF', async () => {
    expect(await rendered(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(await rendered(text));
  });

  it.each<[string, Uint8Array]>([
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Latin-1', Buffer.from(text, 'latin1')],
    ['cut UTF-8', Buffer.from('a: é').subarray(0, 4)],
  ])('in %s are rejected', async (_, bytes) => {
    expect(await refused(bytes)).toContain('error[unreadable-file]: cannot read standard input: it is not UTF-8 text');
    expect(await refused(bytes, [])).toContain('error[unreadable-file]');
  });

  it('keep document markers inside values', async () => {
    for (const value of ['---', '...', 'a\n---\nb', '---\n', '...\nkind: Secret\n']) {
      const [object, ...others] = await rendered(text.replace('"--- ... é"', JSON.stringify(value)));
      expect([get(object?.data, 'a'), others]).toEqual([value, []]);
    }
  });

  it.each(['../x', '/etc/passwd', 'a\\b', 'a\u0000b'])('cannot name an instance %j', async (name) => {
    const named = text.replace('metadata: {name: a,', `metadata: {name: ${JSON.stringify(name)},`);
    expect(await refused(named)).toContain('error[instance-metadata]');
  });
});

describe('huge numbers', () => {
  const numbers = (value: string): string =>
    packageOf('spec: {size: integer}', configMap('data: {}'), `{size: ${value}}`);

  it.each(['9'.repeat(100_000), `0x${'f'.repeat(100_000)}`, `0${'7'.repeat(100_000)}`, '1e999', '9223372036854775808'])(
    'are not integers: %#',
    async (value) => {
      expect(await refused(numbers(value))).toContain('error[instance-type]');
    },
  );

  it('are exact up to 64 bits', async () => {
    const text = packageOf(
      'spec: {size: integer}',
      configMap('data: {a: "${string(schema.spec.size)}"}'),
      '{size: 0x7fffffffffffffff}',
    );
    expect((await rendered(text))[0]?.data).toEqual({ a: '9223372036854775807' });
  });
});

describe('aliases', () => {
  it.each([
    ['that contain themselves', 'a: &a [*a]\n', 'contains itself'],
    [
      'that multiply',
      `a: &a [${'x, '.repeat(100)}]\nb: &b [${'*a, '.repeat(100)}]\nc: [${'*b, '.repeat(100)}]\n`,
      'too much',
    ],
  ])('%s are rejected', async (_, text, word) => {
    expect(await refused(text)).toMatch(new RegExp(`error\\[yaml-alias\\].*${word}`));
  });
});
