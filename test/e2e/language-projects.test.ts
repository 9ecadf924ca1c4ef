import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver';
import { Editor } from '../language-server/editor.ts';
import { Language } from '../language-server/language.ts';
import { commandWire } from '../language-server/wires.ts';
import { drawFrom, seed } from '../seed.ts';
import { bundle, execute } from './sandbox.ts';

const root = mkdtempSync(join(tmpdir(), 'render-rgd-projects-'));
afterAll(() => rmSync(root, { recursive: true }));

let folder: string;
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

const uriOf = (file: string): string => pathToFileURL(join(folder, file)).href;

/** Returns the diagnostics of the current text of a file. */
async function pull(editor: Editor, file: string): Promise<Diagnostic[]> {
  const textDocument = { uri: uriOf(file) };
  const report = await editor.ask<DocumentDiagnosticReport>('textDocument/diagnostic', { textDocument });
  return report.kind === 'full' ? report.items : [];
}

const PULLS = { textDocument: { diagnostic: {} } };

const rgd = (index: number): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec:
      field${index}: string
      size: integer | default=${index}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {value: "\${schema.spec.field${index}}"}
`;

const instance = (index: number): string =>
  `apiVersion: kro.run/v1alpha1\nkind: Shop\nmetadata: {name: shop, namespace: a}\nspec: {field${index}: x, size: 1}\n`;

const PROJECTS = 30;
const EDITS = 300;
const OTHER_FOLDER = 'file:///other';
const PARTS = ['', 'x', ' ', '\n', ':', '"', 'Shop', '- a', '}'];

describe('a project beside 29 others that define the same kind', () => {
  it('has no report of another one after any of 300 edits, at no stage', { timeout: 300_000 }, async () => {
    const draw = drawFrom(seed);
    const texts = new Map<string, string>();
    for (let index = 0; index < PROJECTS; index += 1) {
      texts.set(`p${index}/rgd.yaml`, rgd(index));
      texts.set(`p${index}/shop.yaml`, instance(index));
      write(`p${index}/render-rgd.yaml`, 'rules: []\n');
    }
    for (const [file, text] of texts) write(file, text);
    const editor = new Editor(commandWire(bundle));
    await editor.start({ rootUri: pathToFileURL(folder).href, capabilities: PULLS });
    for (const [file, text] of texts) editor.open(uriOf(file), text);
    const alone = Array.from({ length: PROJECTS }, (_, index) => {
      const language = new Language();
      language.workspace.addRoot(pathToFileURL(join(folder, `p${index}`)).href);
      // A text with the name of a kind is one of kro if any project declares it, so that one more does.
      language.workspace.addRoot(OTHER_FOLDER);
      language.workspace.setFile(`${OTHER_FOLDER}/rgd.yaml`, rgd(PROJECTS));
      for (const [file, text] of texts)
        if (file.startsWith(`p${index}/`)) language.workspace.open(uriOf(file), text, 1);
      return language;
    });
    let compared = 0;
    for (let edit = 0; edit < EDITS; edit += 1) {
      const index = draw(PROJECTS);
      const file = `p${index}/${draw(3) === 0 ? 'shop' : 'rgd'}.yaml`;
      const text = texts.get(file) ?? '';
      const at = draw(text.length);
      const changed = text.slice(0, at) + PARTS[draw(PARTS.length)] + text.slice(at + draw(4));
      const own = alone[index] as Language;
      const change = (version: number, to: string): void => {
        const textDocument = { uri: uriOf(file), version };
        editor.tell('textDocument/didChange', { textDocument, contentChanges: [{ text: to }] });
        own.workspace.open(uriOf(file), to, version);
      };
      change(2 * edit + 2, changed);
      for (const one of [`p${index}/rgd.yaml`, `p${index}/shop.yaml`]) {
        own.workspace.current(uriOf(one));
        const expected = own.diagnostics(uriOf(one)).map(({ code, message, range }) => [code, message, range]);
        const found = await pull(editor, one);
        for (const { relatedInformation = [] } of found)
          for (const { location } of relatedInformation)
            expect(location.uri.startsWith(uriOf(`p${index}/`)), `edit ${edit}`).toBe(true);
        const shown = found.map(({ code, message, range }) => [code, message, range]);
        expect(shown, `edit ${edit} of ${one}: ${changed.slice(at - 20, at + 20)}`).toEqual(expected);
        compared += 1;
      }
      // Every third edit is kept, so that projects have several errors.
      if (edit % 3 === 0) texts.set(file, changed);
      else change(2 * edit + 3, text);
    }
    expect(compared).toBe(2 * EDITS);
    await editor.stop();
  });
});

describe('a file that git ignores', () => {
  const OTHER = rgd(1).replace('name: shop', 'name: other');

  it('has no effect, until a kustomization names its folder, or git ignores it no longer', async () => {
    write('rgd.yaml', rgd(1));
    write('shop.yaml', instance(1));
    write('kustomization.yaml', 'resources: [shop.yaml]\n');
    write('out/rgd.yaml', OTHER);
    write('.gitignore', 'out\n');
    expect(execute('git', ['init', '-q'], { cwd: folder }).code).toBe(0);
    const editor = new Editor(commandWire(bundle));
    await editor.start({ rootUri: pathToFileURL(folder).href, capabilities: PULLS });
    editor.open(uriOf('rgd.yaml'), rgd(1));
    const codes = async (): Promise<unknown[]> => {
      const found = [...(await pull(editor, 'rgd.yaml')), ...(await pull(editor, 'out/rgd.yaml'))];
      return found.map(({ code }) => code);
    };
    expect(await codes()).toContain('lint-unread-field');
    expect(await codes()).not.toContain('kind-defined-twice');
    editor.open(uriOf('kustomization.yaml'), 'resources: [shop.yaml, out]\n');
    await expect.poll(codes).toContain('kind-defined-twice');
    editor.tell('textDocument/didChange', {
      textDocument: { uri: uriOf('kustomization.yaml'), version: 2 },
      contentChanges: [{ text: 'resources: [shop.yaml]\n' }],
    });
    write('.gitignore', '# nothing\n');
    editor.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf('.gitignore'), type: 2 }] });
    await expect.poll(codes).toContain('kind-defined-twice');
    await editor.stop();
  });
});
