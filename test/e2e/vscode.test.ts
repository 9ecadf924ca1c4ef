import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { lsp } from '../../src/cli/servers.ts';
import { bundle, execute } from './sandbox.ts';

const root = new URL('../../', import.meta.url).pathname;
const extension = join(root, 'editors/vscode');
const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));

/** Activates the extension in a VS Code of stubs, and returns how it starts the server. */
async function startedWith(inspected: object | undefined): Promise<unknown> {
  const stub = `
    export const TransportKind = { stdio: 0 };
    export class LanguageClient { constructor(id, name, server) { globalThis.started = server; } start() {} stop() {} }
    const [path] = [${JSON.stringify(inspected) ?? ''}];
    const values = { ...path };
    export const workspace = {
      getConfiguration: () => ({
        get: () => values.workspaceFolderValue ?? values.workspaceValue ?? values.globalValue ?? '',
        inspect: () => path,
      }),
      registerTextDocumentContentProvider: () => {},
    };
    export const commands = { registerCommand: () => {} };
    export const window = {}, Uri = {}, ViewColumn = {};
  `;
  const { outputFiles } = await build({
    entryPoints: [join(extension, 'src/extension.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'stubs',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^vscode/ }, () => ({ path: 'stub', namespace: 'stub' }));
          onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: stub }));
        },
      },
    ],
  });
  const { activate } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  await activate({ subscriptions: [], asAbsolutePath: (path: string) => `/own/${path}` });
  return (globalThis as { started?: unknown }).started;
}

describe('the extension for VS Code', () => {
  it('declares its contributions', () => {
    expect(existsSync(join(extension, manifest.contributes.grammars[0].path))).toBe(true);
    expect(manifest.main).toBe('./dist/extension.js');
    expect(manifest.browser).toBe('./dist/browser.js');
    expect(Object.keys(manifest.contributes.configuration.properties)).toContain('render-rgd.definitions');
    expect(lsp.own).toHaveProperty('stdio');
  });

  it('lets no workspace choose a program, and no untrusted one name files', () => {
    const { properties } = manifest.contributes.configuration;
    expect(properties['render-rgd.path'].scope).toBe('machine');
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe('limited');
    const naming = Object.keys(properties).filter((name) => /\b(command|files?)\b/i.test(properties[name].description));
    expect(restrictedConfigurations.toSorted()).toEqual(naming.sort());
  });

  it.each([
    [{ workspaceValue: './evil' }, { module: '/own/dist/server.mjs' }],
    [{ workspaceFolderValue: './evil', workspaceValue: './evil' }, { module: '/own/dist/server.mjs' }],
    [{ globalValue: '/usr/bin/render-rgd', workspaceValue: './evil' }, { command: '/usr/bin/render-rgd' }],
    [undefined, { module: '/own/dist/server.mjs' }],
  ])('starts the server of the settings %j', async (inspected, expected) => {
    expect(await startedWith(inspected)).toMatchObject(expected);
  });

  const pack = (): void => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-vscode-'));
    try {
      const copy = join(folder, 'editors/vscode');
      cpSync(extension, copy, { recursive: true, filter: (path) => !/node_modules|\.vsix$|\/dist/.test(path) });
      cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
      symlinkSync(join(bundle, '..'), join(folder, 'dist'));
      symlinkSync(join(extension, 'node_modules'), join(copy, 'node_modules'));
      const vsce = join(extension, 'node_modules/@vscode/vsce/vsce');
      expect(execute(process.execPath, ['build.mjs'], { cwd: copy })).toMatchObject({ code: 0 });
      expect(
        execute(process.execPath, [vsce, 'package', '--no-dependencies', '--out', 'a.vsix'], { cwd: copy }),
      ).toMatchObject({ code: 0 });
      expect(statSync(join(copy, 'a.vsix')).size).toBeGreaterThan(100_000);
      const listed = execute(process.execPath, [vsce, 'ls', '--no-dependencies'], { cwd: copy })
        .stdout.trim()
        .split('\n')
        .sort();
      expect(listed).toEqual([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist/browser.js',
        'dist/extension.js',
        'dist/lsp.mjs',
        'dist/server.mjs',
        'dist/worker.js',
        'icon.png',
        'package.json',
        'syntaxes/cel.json',
        'walkthrough/create.md',
        'walkthrough/instance.md',
        'walkthrough/rendered.md',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  if (existsSync(join(extension, 'node_modules')) || process.env.CI === 'true') it('is packed', pack);
  else it.skip('is packed (run npm ci in editors/vscode)', pack);
});
