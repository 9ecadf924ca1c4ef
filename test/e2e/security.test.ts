import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, execute } from './sandbox.ts';

const text = readFileSync(bundle, 'utf8');
const examples = join(dirname(dirname(bundle)), 'examples');
const input = join(examples, 'collections/input');
const expected = readFileSync(join(examples, 'collections/expected.yaml'), 'utf8');

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'render-rgd-security-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('what the bundle can do', () => {
  it('makes no code of text', () => {
    expect(text).not.toMatch(/(?<![\w$.])eval\s*\((?![^()]*\)\{)/);
    expect(text).not.toMatch(/(?<![\w$.])Function\s*\(|\.constructor\s*\(\s*["'`]/);
    const options = ['--disallow-code-generation-from-strings', bundle, 'render', input];
    expect(execute(process.execPath, options)).toMatchObject({ code: 0, stdout: expected });
  });

  it('compiles literals of its own, in one place', () => {
    expect(text.match(/\bnode:vm\b|\bnew\s+Script\b|\brunIn\w*Context\b|\bcompileFunction\b|\b_compile\b/g)).toEqual([
      'node:vm',
      'new Script',
      'runInThisContext',
    ]);
    const compiled =
      /const \w+ = \(\{ kept, line \}\) => \{\s+const \{ Script \}[^\n]+\n\s+const text = (.+)\n\s+return new Script\((.+)/.exec(
        text,
      );
    expect(compiled?.[1]).toMatch(/^String\(kept\)\.slice\(/);
    expect(compiled?.[2]).toContain('`((module,require,part)=>{${text}\\n})`');
    // All that it takes texts from is the table of parts: functions with a comment and nothing else.
    const parts = text.match(/^"[\w-]+\.js":\{line:\d+,kept\(\)\{\/\*(?:(?!\*\/)[\s\S])*\*\/\}\}/gm) ?? [];
    expect(parts.length).toBeGreaterThan(10);
    expect(parts).toHaveLength(text.match(/,kept\(\)/g)?.length ?? 0);
  });

  it('loads nothing that opens connections, or other code', () => {
    const loads = /[\w$]\(["']node:([\w/]+)["']\)/g;
    const loaded = new Set([...text.matchAll(loads)].map(([, name]) => name));
    // Programs are helm and kustomize in the plugin, and git for diff --against, which needs a temporary folder; vm
    // compiles parts of the bundle itself.
    expect([...loaded].sort()).toEqual(['child_process', 'crypto', 'fs', 'os', 'path', 'vm']);
    expect(text).not.toMatch(/\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|WebAssembly)\b\s*[(.]/);
    expect(text).not.toMatch(/\bimport\s*\(|process\.(?:binding|dlopen)/);
  });

  it('asks for the environment in the plugin, and for what terminals say of colours', () => {
    const asked = [...text.matchAll(/process\.env\b(?:\.(\w+))?/g)].map(([, name]) => name ?? 'everything');
    expect(asked.sort()).toEqual(['NO_COLOR', 'TERM', 'everything']);
  });

  it('renders where it may read its input and nothing else', () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const readable = [bundle, `${examples}/collections/*`].map((path) => `--allow-fs-read=${path}`);
    const run = (path: string) =>
      execute(process.execPath, [permission, ...readable, bundle, 'render', path], { cwd: folder });
    expect(run(input)).toMatchObject({ code: 0, stdout: expected });
    expect(run(join(examples, 'pending/site')).code).toBe(1);
  });
});
