import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { exitCode } from '../../../src/cli/output.ts';
import { invoke } from '../../cli/invoke.ts';
import { partOf } from '../../properties/runs.ts';
import { chains } from './chains.ts';
import { type Call, calls } from './commands.ts';
import { inVersion, workingCopy } from './copy.ts';
import type { Dimension, Files } from './dimensions.ts';
import { reads } from './input.ts';
import { openAll, requests } from './server.ts';

// Whoever writes the input decides how many things lead to one another: none of them may take a frame of the stack each.

const home = process.cwd();
const folders: string[] = [];
afterEach(() => {
  process.chdir(home);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const LARGEST = 500_000;
const MOST_FILES = 900;
/** A function without variables overflows the stack after so many calls of itself. */
const MOST = 20_000;

/** Returns the length of a chain that fits in a file of half a megabyte. */
function lengthOf(make: Dimension): number {
  const fits = (n: number): boolean => {
    const texts = Object.values(make(n));
    return texts.length <= MOST_FILES && texts.reduce((sum, text) => sum + text.length, 0) <= LARGEST;
  };
  let length = 8;
  while (length < MOST && fits(2 * length)) length *= 2;
  return length;
}

/** Returns the files that another length changes. */
function grownIn(make: Dimension): string[] {
  const small = make(4);
  return Object.entries(make(8)).flatMap(([path, text]) => (text === small[path] ? [] : [path]));
}

const READS_NOTHING: readonly string[] = ['init', 'completion'];
const allCalls: readonly Call[] = Object.values(calls).flat();

function copyOf(files: Files, withCopies: boolean): string {
  const folder = workingCopy(files, withCopies);
  folders.push(folder);
  return folder;
}

describe('a chain as long as a file allows', () => {
  it.each(partOf(Object.entries(chains), 12))('ends no command with a bug: %s', async (_, make) => {
    const files = make(lengthOf(make));
    const grown = grownIn(make);
    const folderFor = new Map<boolean, string>();
    for (const call of allCalls) {
      const { args, input } = call;
      if (READS_NOTHING.includes(args[0] ?? '') || !grown.some((path) => reads(call, path))) continue;
      const withCopies = !(args.includes('.') || args[0] === 'plugin');
      const folder = folderFor.get(withCopies) ?? copyOf(files, withCopies);
      folderFor.set(withCopies, folder);
      process.chdir(folder);
      const { code, stderr } = await invoke(
        [...args],
        input === undefined ? undefined : readFileSync(join(folder, input)),
      );
      expect({ args, code, stderr: code === exitCode.bug ? stderr : '' }).not.toMatchObject({ code: exitCode.bug });
      expect([exitCode.ok, exitCode.input]).toContain(code);
    }
  });

  it('reads the status of the next instance through all instances', async () => {
    const make = chains['instances: a status of the next'];
    if (make === undefined) throw new Error('there is no such chain');
    process.chdir(copyOf(make(5), true));
    const { code, stdout } = await invoke(['render', 'p', '--all']);
    expect({ code, count: stdout.match(/^ {2}a: newer$/gm)?.length }).toEqual({ code: 0, count: 6 });
  });

  it.each(partOf(Object.entries(chains), 12, 6))('ends no request of the language server: %s', (_, make) => {
    const files = Object.entries(inVersion(make(lengthOf(make)), 'newer'));
    const server = openAll(Object.fromEntries(files.filter(([path]) => /^[^.].*\.ya?ml$/.test(path))));
    for (const request of Object.values(requests)) {
      for (const one of request(server)) expect(one).not.toThrow();
    }
  });
});
