import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';
import { mistakes } from './mistakes.ts';

describe('the command line on mistakes of new users', () => {
  const home = process.cwd();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'render-rgd-mistakes-'));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true });
  });

  it.each(Object.entries(mistakes))('explains %s', async (_, { files, args, stdin, code, output, without = [] }) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const printed = await invoke(args ?? ['validate', '.'], stdin);
    const all = `${printed.stdout}${printed.stderr}`;
    for (const line of output) expect(`^${all}`).toContain(line);
    for (const line of without) expect(all).not.toContain(line);
    expect(printed.code).toBe(code);
  });
});
