import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes } from '../../src/core/diagnostics/diagnostic.ts';
import { bundle } from './sandbox.ts';

const outside = mkdtempSync(join(tmpdir(), 'render-rgd-mcp-'));
let client: Client;
let folder: string;

beforeAll(async () => {
  writeFileSync(join(outside, 'secret.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: out-of-reach }\n');
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-mcp-'));
  cpSync('examples', folder, { recursive: true });
  mkdirSync(join(folder, 'links'));
  symlinkSync(outside, join(folder, 'links/out'));
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(
    join(folder, 'secrets/all.yaml'),
    `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: vault }
spec:
  schema: { apiVersion: v1, kind: Vault, group: example.com, spec: { word: string } }
  resources:
  - { id: secret, template: { apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { word: '\${schema.spec.word}' } } }
---
apiVersion: example.com/v1
kind: Vault
metadata: { name: a, namespace: a }
spec: { word: very-secret-word }
`,
  );
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--disallow-code-generation-from-strings', bundle, 'mcp'],
      cwd: folder,
    }),
  );
});
afterAll(async () => {
  await client.close();
  for (const one of [outside, folder]) rmSync(one, { recursive: true });
});

interface Answer {
  /** The first text, and all of them together. */
  first: string;
  text: string;
  isError: unknown;
}

async function call(name: string, given: Record<string, unknown>): Promise<Answer> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const texts = (content as { text: string }[]).map(({ text }) => text);
  return { first: texts[0] ?? '', text: texts.join(''), isError };
}

const collections = { paths: ['collections/input'] };
const site = { paths: ['pending/site'] };

describe('the server for assistants', () => {
  it('offers read-only tools with schemas', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'validate',
      'render',
      'explain',
      'pending',
      'graph',
      'schema',
      'cel',
      'plan',
    ]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(inputSchema.required?.every((name) => name in (inputSchema.properties ?? {}))).toBe(true);
    }
  });

  it.each([
    ['validate', { paths: ['kustomize/base'] }, '[]'],
    ['render', collections, 'kind: Deployment'],
    ['explain', { ...site, object: 'Site/blog' }, 'settings'],
    ['explain', { ...site, object: 'Site/blog', about: 'settings' }, 'front.status.loadBalancer'],
    ['pending', site, '"kind": "Service"'],
    ['graph', { ...collections, instance: 'Storefront/shop/books' }, 'flowchart'],
    ['schema', { ...site, kind: 'Site' }, '"properties"'],
    ['cel', { expression: 'a.split(",").map(x, x + "!")', variables: { a: 'b,c' } }, '"c!"'],
    ['cel', { ...site, object: 'Site/blog', expression: 'schema.metadata.name + "-x"' }, 'blog-x'],
  ])('answers %s %o', async (name, given, wanted) => {
    const { text, isError } = await call(name, given);
    expect(text).toContain(wanted);
    expect(isError).toBe(false);
  });

  it('reports errors with their lines as the answer of validate', async () => {
    writeFileSync(
      join(folder, 'broken.yaml'),
      'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: a }\n',
    );
    const { first, isError } = await call('validate', { paths: ['broken.yaml'] });
    expect(JSON.parse(first)).toMatchObject([{ code: 'rgd-shape', file: 'broken.yaml' }]);
    expect(isError).toBe(false);
  });

  it('plans a change without writing it', async () => {
    writeFileSync(
      join(folder, 'app.yaml'),
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: app, namespace: argocd }\nspec:\n  project: default\n  destination: { name: in-cluster, namespace: a }\n  source: { repoURL: https://example.com/a.git, path: manifests }\n',
    );
    mkdirSync(join(folder, 'manifests'));
    writeFileSync(
      join(folder, 'manifests/map.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: b }\n',
    );
    const { text } = await call('plan', {
      changes: { 'manifests/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: c }\n' },
    });
    expect(text).toContain('ConfigMap');
    expect(readFileSync(join(folder, 'manifests/map.yaml'), 'utf8')).toContain('a: b');
    expect((await call('plan', { changes: {} })).text).not.toContain('ConfigMap');
  });

  it.each([
    ['an absolute path', { paths: [join(outside, 'secret.yaml')] }],
    ['a path above', { paths: ['../../etc'] }],
    ['a link', { paths: ['links/out/secret.yaml'] }],
    ['a folder with a link', { paths: ['links'] }],
    ['definitions', { ...site, definitions: [outside] }],
    ['observed values', { ...site, observed: [join(outside, 'secret.yaml')] }],
    ['standard input', { paths: ['-'] }],
    ['an option', { paths: [`--definitions=${outside}`] }],
  ])('reads nothing outside of its folder: %s', async (_, given) => {
    const { text, isError } = await call('render', given);
    expect(text).not.toContain('out-of-reach');
    expect(isError).toBe(true);
  });

  it('hides the values of Secrets', async () => {
    const vault = { paths: ['secrets'] };
    const answers = [
      await call('render', vault),
      await call('explain', { ...vault, object: 'Vault/a', about: 'secret' }),
      await call('cel', { ...vault, object: 'Vault/a', expression: 'secret.stringData.word' }),
    ];
    expect(answers[0]?.text).toContain('(hidden)');
    expect(answers[0]?.text).not.toContain('very-secret-word');
    expect(answers[2]?.text).not.toMatch(/= .*very-secret-word/);
  });

  it('limits an answer, and an expression', async () => {
    expect((await call('schema', { ...collections, kind: 'Storefront' })).text.length).toBeLessThan(101_000);
    const long = await call('cel', { expression: '"x".replace("x", a) + a', variables: { a: 'y'.repeat(200_000) } });
    expect(long.text).toContain('omitted');
    expect(long.text.length).toBeLessThan(101_000);
    const endless = await call('cel', {
      expression: 'a.map(x, a.map(y, a.map(z, a.map(w, w))))',
      variables: { a: Array.from({ length: 300 }, (_, index) => index) },
    });
    expect(endless.text).toContain('budget');
  });

  it('rejects unknown tools, resources and missing arguments', async () => {
    expect(await call('rm', {})).toMatchObject({ isError: true });
    expect(await call('render', {})).toMatchObject({ isError: true, text: 'render needs paths' });
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('unknown resource');
  });

  it('offers functions, markers, codes and examples', async () => {
    const { resources } = await client.listResources();
    const read = async (uri: string): Promise<string> =>
      (await client.readResource({ uri })).contents.map((one) => ('text' in one ? one.text : '')).join('');
    expect(await read('render-rgd://functions')).toContain('string.split(string) -> list(string)');
    expect(await read('render-rgd://markers')).toContain('minLength');
    const listed = await read('render-rgd://diagnostics');
    for (const code of Object.keys(codes)) expect(listed).toContain(`${code}: `);
    const examples = resources.filter(({ uri }) => uri.startsWith('render-rgd://examples/'));
    expect(examples.length).toBeGreaterThan(2);
    for (const { uri } of examples) expect(await read(uri)).not.toBe('');
  });
});
