import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withFunctions } from '../../tools/native/functions.mjs';
import { fileOf, hostTarget } from '../../tools/native/targets.mjs';
import { bundle, execute, findTool } from './sandbox.ts';

const root = dirname(dirname(bundle));
const target = hostTarget();
const native = join(root, 'dist-native', target === undefined ? '' : fileOf(target));
const input = join(root, 'examples/collections/input');
const expected = readFileSync(join(root, 'examples/collections/expected.yaml'), 'utf8');

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'render-rgd-native-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

const documentsOf = (text: string): string[] => text.split('---\n').sort();

it('lists the functions, classes and variables of the command for the runtime', () => {
  const script =
    '"use strict";(function(){var a=1,b={c(){}};function d(){var e;return RENDER_RGD_FUNCTIONS}class f{}d()})();';
  expect(withFunctions(script)).toBe(script.replace('RENDER_RGD_FUNCTIONS', '[a,b,d,f]'));
  expect(() => withFunctions('(function(){})()')).toThrow('the command does not name RENDER_RGD_FUNCTIONS once');
});

const isBuilt = target !== undefined && existsSync(native);
if (!isBuilt && process.env.CI === 'true') it('exists (npm run native)', () => expect(isBuilt).toBe(true));

describe.skipIf(!isBuilt)('the executable', () => {
  it('comes with its checksum, a bill of materials, and licences', () => {
    const digest = createHash('sha256').update(readFileSync(native)).digest('hex');
    expect(readFileSync(`${native}.sha256`, 'utf8')).toBe(`${digest}  ${fileOf(target as string)}\n`);
    const { components } = JSON.parse(readFileSync(`${native}.cdx.json`, 'utf8'));
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['js-yaml', 're2js', 'k8s.io/kubernetes', 'WebKit', 'boringssl']));
    const { version, purl } = components.find(({ type }: { type: string }) => type === 'platform');
    expect(purl).toMatch(/^pkg:npm\/%40oven\/bun-[\w-]+@\d+\.\d+\.\d+$/);
    expect(purl).toContain(`@${version}`);
    const notices = readFileSync(`${native}.notices.txt`, 'utf8');
    for (const title of ['Vitaly Puzrin', 'GNU LESSER GENERAL PUBLIC LICENSE', 'GNU LIBRARY GENERAL PUBLIC LICENSE']) {
      expect(notices.toLowerCase()).toContain(title.toLowerCase());
    }
  });

  it('is one file that needs no Node', () => {
    const env = { PATH: '/nowhere' };
    expect(execute(native, ['render', input], { env, cwd: folder })).toEqual({ code: 0, stdout: expected, stderr: '' });
  });

  it('renders the same with the options for many bytes', () => {
    const files = ['cache.rgd', 'storefront.rgd', 'books'].map((name) =>
      readFileSync(join(input, `${name}.yaml`), 'utf8'),
    );
    const many = `${'# comment\n'.repeat(20_000)}${files.join('---\n')}`;
    const { code, stdout, stderr } = execute(native, ['render', '-'], { input: many });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(documentsOf(stdout)).toEqual(documentsOf(expected));
  });

  it('runs the language server', () => {
    const framed = (message: object): string => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      return `Content-Length: ${body.length}\r\n\r\n${body}`;
    };
    const params = { processId: null, rootUri: null, capabilities: {} };
    const messages = [{ id: 1, method: 'initialize', params }, { id: 2, method: 'shutdown' }, { method: 'exit' }];
    const { code, stdout } = execute(native, ['lsp', '--stdio'], { input: messages.map(framed).join(''), cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain('"serverInfo":{"name":"render-rgd"');
  });

  it('runs the server for assistants', () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const message = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
    const { code, stdout } = execute(native, ['mcp'], { input: message, cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain('"serverInfo":{"name":"render-rgd"');
  });

  it('loads nothing from the current folder', () => {
    const trap = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'trapped'))}, 'yes');\n`;
    const files: Record<string, string> = {
      'trap.js': trap,
      'bunfig.toml': 'preload = ["./trap.js"]\n[run]\npreload = ["./trap.js"]\n',
      '.env': 'BUN_OPTIONS=--preload=./trap.js\nBUN_BE_BUN=1\nNODE_OPTIONS=--require=./trap.js\n',
      '.env.local': 'BUN_BE_BUN=1\n',
      'package.json': '{"type": "module", "main": "trap.js", "imports": {"#x": "./trap.js"}, "name": "fs"}',
      'tsconfig.json': '{"compilerOptions": {"paths": {"*": ["./trap.js"], "node:fs": ["./trap.js"]}}}',
      'node_modules/fs/index.js': trap,
      'node_modules/js-yaml/index.js': trap,
      'fs.js': trap,
      'index.ts': trap,
      'index.js': trap,
    };
    const hostile = join(folder, 'hostile');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(hostile, name)), { recursive: true });
      writeFileSync(join(hostile, name), text);
    }
    for (const cwd of [hostile, join(hostile, 'node_modules')]) {
      const env = { PATH: '/nowhere', HOME: hostile, XDG_CONFIG_HOME: hostile };
      const here = execute(native, ['render', input], { cwd, env });
      expect(here).toEqual({ code: 0, stdout: expected, stderr: '' });
      expect(execute(native, ['plugin', 'parameters'], { cwd, env }).code).toBe(0);
    }
    expect(existsSync(join(folder, 'trapped'))).toBe(false);
  });

  const strace = findTool('strace');
  describe.skipIf(strace === undefined)('traced by strace', () => {
    /** What the runtime and the loader read: never the current folder, and never the home folder of the user. */
    const OF_THE_MACHINE =
      /^\/(?:proc\/(?:self|sys|\d+)\/|proc\/(?:cpuinfo|meminfo)|sys\/|etc\/(?:ld\.so|localtime)|usr\/share\/zoneinfo|(?:usr\/)?lib|dev\/null)/;

    /** What says which files git ignores, in the folders above the input and in the configuration of git. */
    const OF_GIT =
      /\/\.git(?:$|\/(?:commondir|objects|refs|HEAD|config|info\/exclude)$)|\/\.gitignore$|\/\.gitconfig$|\/\.config\/git\/(?:ignore|config)$/;

    it('reads only its input and what git ignores there, writes nothing, opens no connection and starts no process', () => {
      const log = join(folder, 'strace');
      const kinds = 'trace=%file,%network,execve,unlink,mkdir,rename,ftruncate';
      const args = ['-f', '-s', '4096', '-e', kinds, '-o', log, native, 'render', input];
      const { code, stdout } = execute(strace as string, args, {
        cwd: folder,
        env: { PATH: '/nowhere', HOME: folder },
      });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
      const calls = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => /^\d+ +\w+\(/.test(line));
      expect(calls.length).toBeGreaterThan(10);
      const named = (line: string): string => /"([^"]*)"/.exec(line)?.[1] ?? '';
      const about = (line: string): string => line.replace(/^\d+ +/, '');
      const strange = calls
        .filter((line) => !/^\d+ +(?:execve|getcwd|newfstatat\(\d+, "", |statx\(\d+, "", |fstat)/.test(line))
        .filter((line) => !named(line).startsWith(input) && !OF_THE_MACHINE.test(named(line)))
        .filter((line) => !OF_GIT.test(named(line)))
        .map(about);
      expect(strange).toEqual([]);
      expect(calls.filter((line) => /O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(line)).map(about)).toEqual([]);
      expect(calls.filter((line) => /^\d+ +execve/.test(line))).toHaveLength(1);
    });
  });
});
