import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, execute, plainEnvironment } from './sandbox.ts';

/** The parts of the file that are compiled when they are called for first. */
const TEXTS = /(["'`])\\?"use strict\\?";module\.exports=(?:[^\\]|\\.)*?\1(?=,"render-rgd\.\w+\.js"\))/gs;
const written = readFileSync(bundle, 'utf8');
const texts = [...written.matchAll(TEXTS)].map(([literal]): string => runInNewContext(literal));
const start = written.replace(TEXTS, 'TEXT');
const text = [start, ...texts].join('\n');
const examples = join(dirname(dirname(bundle)), 'examples');
const input = join(examples, 'collections/input');
const expected = readFileSync(join(examples, 'collections/expected.yaml'), 'utf8');

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'render-rgd-security-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the built command', () => {
  it('does not evaluate text as code', () => {
    expect(text).not.toMatch(/(?<![\w$.])eval\s*\((?![^()]*\)\{)/);
    expect(text).not.toMatch(/(?<![\w$.])Function\s*\(|\.constructor\s*\(\s*["'`]/);
    const options = ['--disallow-code-generation-from-strings', bundle, 'render', input];
    expect(execute(process.execPath, options)).toMatchObject({ code: 0, stdout: expected });
  });

  it('compiles no code at run time but the texts in it', () => {
    expect(text).not.toMatch(/\bnode:vm\b|\bnew\s+Script\b|\brunIn\w*Context\b|\bcompileFunction\b/);
    const [, name = ''] = /([\w$]+)=function\(e,t\)\{[^{}]*\._compile\(e,/.exec(start) ?? [];
    expect(text.match(/\b_compile\b/g)).toHaveLength(1);
    const called = start.split(`${name}(TEXT,"render-rgd.`).slice(1);
    expect(called).toHaveLength(texts.length);
    expect(texts.length).toBeGreaterThan(1);
  });

  it('loads no modules that open connections or load code', () => {
    const loads = /[\w$]\(["']node:([\w/]+)["']\)/g;
    const loaded = new Set([...text.matchAll(loads)].map(([, name]) => name));
    // The plugin starts helm and kustomize, and diff --against starts git, which needs a temporary folder. `playground`
    // listens on 127.0.0.1 and unpacks its page: it loads its modules on demand, and nothing connects. `v8` sets a flag
    // of the compiler for large inputs, `module` compiles the texts in the file, and `util` has the errors of the system.
    expect([...loaded].sort()).toEqual([
      'child_process',
      'crypto',
      'fs',
      'http',
      'module',
      'os',
      'path',
      'util',
      'v8',
      'zlib',
    ]);
    expect(text.match(/["']node:http["']/g)).toHaveLength(1);
    expect(text).not.toMatch(/\.(?:request|connect|createConnection)\s*\(/);
    expect(text).not.toMatch(/\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|WebAssembly)\b\s*[(.]/);
    // The servers are files beside it, which only their commands load.
    expect([...text.matchAll(/\bimport\s*\(([^)]*)\)/g)].map(([, from]) => from).sort()).toEqual([
      '"./lsp.mjs"',
      '"./mcp.mjs"',
    ]);
    expect(text).not.toMatch(/process\.(?:binding|dlopen)/);
  });

  it('reads the environment only in the plugin, for colours, for the branch of a merge request, and to start programs', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const reading = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(join('src', file), 'utf8')));
    // The variables of terminals are named in src/cli/output.ts, and those that programs get in the other modules.
    expect(reading.sort()).toEqual([
      'cli/extract.ts',
      'cli/git/run.ts',
      'cli/main.ts',
      'cli/other-release.ts',
      'cli/plan/index.ts',
      'cli/plan/tools.ts',
      'cli/plugin/index.ts',
    ]);
    expect(text.match(/process\.env\b/g)).toHaveLength(11);
  });

  it('renders with read access to its input only', () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const readable = [bundle, `${examples}/collections/*`].map((path) => `--allow-fs-read=${path}`);
    const run = (path: string) =>
      execute(process.execPath, [permission, ...readable, bundle, 'render', path], {
        cwd: folder,
        env: plainEnvironment(),
      });
    expect(run(input)).toMatchObject({ code: 0, stdout: expected });
    expect(run(join(examples, 'pending/site')).code).toBe(1);
  });
});
