import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeLens, TextEdit } from 'vscode-languageserver';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import { Editor } from './editor.ts';
import { streamWire } from './stdio.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema: {apiVersion: v1, kind: Shop, group: example.com, spec: {image: string, password: string}}
  resources:
    - id: login
      template:
        apiVersion: v1
        kind: Secret
        metadata: {name: "\${schema.metadata.name}"}
        stringData: {password: "\${schema.spec.password}"}
    - id: web
      template:
        apiVersion: v1
        kind: Pod
        metadata: {name: "\${login.metadata.name}-web"}
        spec: {containers: [{name: web, image: "\${schema.spec.image}"}]}
`;
const shop = (name: string, image: string): string =>
  `apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: ${name}, namespace: shops}\nspec: {image: ${image}, password: topsecret}\n`;
const [RGD_URI, SHOP_URI] = ['file:///app/rgd.yaml', 'file:///app/shop.yaml'];

describe('the commands of the language server', () => {
  const editor = new Editor(streamWire());
  const run = (command: string, ...given: unknown[]): Promise<string | null> =>
    editor.ask('workspace/executeCommand', { command, arguments: given });
  const objectsIn = (text: string | null): unknown[] =>
    readStreams([{ file: 'shown.yaml', text: text ?? '' }], new Collector()).map(({ object }) => object);
  const lensesOf = (uri: string): Promise<CodeLens[]> => editor.ask('textDocument/codeLens', { textDocument: { uri } });

  beforeAll(async () => {
    await editor.start();
    editor.open(RGD_URI, RGD);
    editor.open(SHOP_URI, `${shop('a', 'nginx')}---\n${shop('b', 'caddy')}`);
  });
  afterAll(() => editor.stop());

  it('preview the objects of the first instance of a file', async () => {
    expect(objectsIn(await run('render-rgd.show', SHOP_URI))).toMatchObject([
      { kind: 'Secret', metadata: { name: 'a', namespace: 'shops' } },
      { kind: 'Pod', metadata: { name: 'a-web' }, spec: { containers: [{ image: 'nginx' }] } },
    ]);
  });
  it('preview an instance by its name', async () => {
    expect(objectsIn(await run('render-rgd.show', SHOP_URI, 'Shop/b'))).toMatchObject([
      { kind: 'Secret', metadata: { name: 'b' } },
      { kind: 'Pod', spec: { containers: [{ image: 'caddy' }] } },
    ]);
  });
  it('format a file, and keep what is formatted', async () => {
    const uri = 'file:///app/other.yaml';
    const head = 'apiVersion: kro.run/v1alpha1\r\nkind: ResourceGraphDefinition\r\nmetadata: {name: b}\r\nspec:\r\n';
    editor.open(uri, `${head}  schema:\r\n    kind: B\r\n    apiVersion: v1\r\n`);
    const textDocument = { uri };
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await editor.ask<TextEdit[]>('textDocument/formatting', { textDocument, options });
    expect(edits).toEqual([
      {
        range: { start: { line: 5, character: 4 }, end: { line: 6, character: 18 } },
        newText: 'apiVersion: v1\r\n    kind: B',
      },
    ]);
    editor.open(uri, `${head}  schema:\r\n    apiVersion: v1\r\n    kind: B\r\n`);
    expect(await editor.ask('textDocument/formatting', { textDocument, options })).toEqual([]);
  });
  it('use the text in the editor, not the saved file', async () => {
    editor.tell('textDocument/didChange', {
      textDocument: { uri: SHOP_URI, version: 2 },
      contentChanges: [{ text: shop('a', 'httpd') }],
    });
    await editor.ask('textDocument/diagnostic', { textDocument: { uri: SHOP_URI } });
    expect(await run('render-rgd.show', SHOP_URI)).toContain('image: httpd');
  });
  it('never show a value of a Secret', async () => {
    const shown = await run('render-rgd.show', SHOP_URI, 'Shop/a');
    expect(shown).toContain('password:');
    expect(shown).not.toContain('topsecret');
  });
  it.each([
    ['an instance that is not there', [SHOP_URI, 'Shop/none']],
    ['a file without an instance', [RGD_URI]],
    ['a file that nobody knows', ['file:///other.yaml']],
    ['nothing', []],
  ])('preview nothing for %s', async (_, given) => {
    expect(await run('render-rgd.show', ...given)).toBeNull();
  });
  it('draw the graph as Mermaid and as SVG', async () => {
    const mermaid = await run('render-rgd.graph', RGD_URI);
    expect(mermaid).toMatch(/flowchart|graph/);
    expect(mermaid).toContain('login');
    expect(await run('render-rgd.graph', RGD_URI, 'svg')).toMatch(/^<svg[\s\S]*login[\s\S]*<\/svg>\s*$/);
  });
  it('report that there is nothing to draw', async () => {
    editor.open('file:///broken/rgd.yaml', RGD.replace('schema.spec.image', 'schema.spec.none'));
    expect(await run('render-rgd.graph', 'file:///broken/rgd.yaml')).toMatch(/^%% There is nothing to draw/);
    expect(await run('render-rgd.graph', 'file:///broken/rgd.yaml', 'svg')).toBe('');
  });
  it.each([
    [SHOP_URI, 'renders 2 objects: show', 'kind: Pod'],
    [RGD_URI, 'graph (1 instance here)', 'login'],
  ])('run the code lens of %s', async (uri, title, wanted) => {
    const lens = (await lensesOf(uri)).find(({ command }) => command?.title === title);
    const { command = '', arguments: given = [] } = lens?.command ?? {};
    expect(await run(command, ...given)).toContain(wanted);
  });
  it('reject unknown commands', async () => {
    expect(await run('render-rgd.other', RGD_URI)).toBeNull();
  });
});
