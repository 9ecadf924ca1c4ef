import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import commands from '../../../data/commands.json';
import { invoke } from '../../cli/invoke.ts';
import { workOf, workOfAsync } from '../work.ts';
import { asked } from './asked.ts';
import { calls } from './commands.ts';
import { inVersion, workingCopy } from './copy.ts';
import { dimensions, type Files } from './dimensions.ts';
import { openAll, requests } from './server.ts';

/** Rows of the table that once took quadratic time, with the size of the smallest input. */
const ROWS: readonly (readonly [dimension: string, command: string, n: number])[] = [
  ['RGDs that render an instance of the next one', 'doctor p', 50],
  ['RGDs that render an instance of the next one', 'rbac p', 50],
  ['roles', 'rbac p --check roles', 50],
  ['live instances', 'migrate p --from live', 50],
  ['policies of other kinds, and objects', 'validate p', 50],
  ['objects that a policy denies', 'validate p', 200],
  ['RGDs, each with an instance', 'validate p --explore', 20],
  ['Kustomizations of Flux in namespaces', 'plan . --against HEAD', 50],
  ['instances of an unknown kind', 'observe p --from live --from p', 100],
  ['instances of the same name', 'observe p --from live --from p', 100],
  ['expressions of nested statuses that read all of the next', 'pending p', 100],
  ['nodes that wait for a status', 'render p --all', 100],
  ['RGDs, each with an instance', 'plan . --against HEAD', 50],
  ['RGDs, each with an instance', 'compat old/p p --instances p', 50],
  ['Applications in an Application', 'plan . --against HEAD', 50],
  ['expressions of statuses that read all of a referenced one', 'pending p', 100],
];
/** Requests of the language server, by what grows. */
const REQUESTS: readonly (readonly [dimension: string, request: string, n: number])[] = [
  ['RGDs that render an instance of the next one', 'lsp actions', 100],
  ['RGDs that render an instance of the next one', 'lsp rename', 100],
  ['RGDs that share a nested one', 'lsp references', 50],
  ['nodes that read the first one', 'lsp tokens', 50],
  ['nodes that read the one before', 'lsp references', 50],
  ['fields of a schema', 'lsp hover', 50],
  ['types', 'lsp rename', 50],
  ['Graphs', 'lsp tokens', 50],
];
/** Four times the input takes at most this much more than four times the work: an exponent of 1.2. */
const MOST = 4 ** 1.2;

const home = process.cwd();
const folders: string[] = [];
afterEach(() => {
  process.chdir(home);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function copyOf(files: Files): string {
  const folder = workingCopy(files, true);
  folders.push(folder);
  return folder;
}

describe('the work of a command', () => {
  it('is measured for every command', () => {
    const served = Object.values(asked).map(({ command }) => command);
    const named = new Set([...Object.keys(calls), ...served, 'lsp'].filter((name) => name !== 'function'));
    expect([...named].sort()).toEqual(Object.keys(commands).sort());
    const all = Object.values(calls).flatMap((list) => list.map(({ args }) => args.join(' ')));
    expect(ROWS.filter(([, command]) => !all.includes(command))).toEqual([]);
  });

  it.each(ROWS)('grows in proportion to the input: %s, %s', async (dimension, command, n) => {
    const make = dimensions[dimension];
    if (make === undefined) throw new Error(`there is no dimension ${dimension}`);
    const workFor = async (count: number): Promise<number> => {
      process.chdir(copyOf(make(count)));
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

  it.each(REQUESTS)('grows in proportion to the input: %s, %s', async (dimension, name, n) => {
    const make = dimensions[dimension];
    const request = requests[name];
    if (make === undefined || request === undefined) throw new Error(`there is no ${dimension}, ${name}`);
    const workFor = (count: number): number => {
      const server = openAll(inVersion(make(count), 'newer'));
      return workOf(() => request(server).map((one) => one()));
    };
    workFor(n);
    const first = workFor(n);
    const last = workFor(4 * n);
    expect(first).toBeGreaterThan(0);
    expect(last / first).toBeLessThan(MOST);
  });
});
