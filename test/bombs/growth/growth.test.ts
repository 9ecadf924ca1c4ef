import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import commands from '../../../data/commands.json';
import { invoke } from '../../cli/invoke.ts';
import { workOfAsync } from '../work.ts';
import { calls } from './commands.ts';
import { dimensions, type Files } from './dimensions.ts';

/** Servers, which other tests measure: they have no single answer. */
const SERVERS = ['lsp', 'mcp', 'playground'];
/** Rows of the table that once took quadratic time, with the size of the smallest input. */
const ROWS: readonly (readonly [dimension: string, command: string, n: number])[] = [
  ['RGDs that render an instance of the next one', 'doctor p', 50],
  ['RGDs that render an instance of the next one', 'rbac p', 50],
  ['roles', 'rbac p --check roles', 50],
  ['live instances', 'migrate p --from live', 50],
  ['policies of other kinds, and objects', 'validate p', 50],
  ['objects that a policy denies', 'validate p', 200],
  ['Kustomizations of Flux in namespaces', 'plan . --against HEAD', 50],
];
/** Four times the input takes at most this much more than four times the work: an exponent of 1.2. */
const MOST = 4 ** 1.2;

const home = process.cwd();
const folders: string[] = [];
afterEach(() => {
  process.chdir(home);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Writes a working copy with its older version in git, and returns its folder. */
function workingCopy(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-growth-'));
  folders.push(folder);
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'ignore' });
  };
  const write = (version: string): void => {
    for (const [path, text] of Object.entries({ 'live/none.yaml': '', 'roles/none.yaml': '', ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replaceAll('VERSION', version));
    }
  };
  write('older');
  git('init', '-q', '.');
  git('add', '.');
  git('commit', '-qm', 'older');
  write('newer');
  return folder;
}

describe('the work of a command', () => {
  it('is measured for every command', () => {
    const named = [...Object.keys(calls), ...SERVERS].filter((name) => name !== 'function');
    expect(named.sort()).toEqual(Object.keys(commands).sort());
    const all = Object.values(calls).flatMap((list) => list.map(({ args }) => args.join(' ')));
    expect(ROWS.filter(([, command]) => !all.includes(command))).toEqual([]);
  });

  it.each(ROWS)('grows in proportion to the input: %s, %s', async (dimension, command, n) => {
    const make = dimensions[dimension];
    if (make === undefined) throw new Error(`there is no dimension ${dimension}`);
    const workFor = async (count: number): Promise<number> => {
      process.chdir(workingCopy(make(count)));
      return workOfAsync(async () => {
        const { code } = await invoke(command.split(' '));
        expect([0, 1]).toContain(code);
      });
    };
    await workFor(n);
    const first = await workFor(n);
    const last = await workFor(4 * n);
    expect(last).toBeGreaterThan(first);
    expect(last / first).toBeLessThan(MOST);
  });
});
