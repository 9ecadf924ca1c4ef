import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Verdicts } from './differences.ts';
import { askSurfaces, type VerdictInput } from './surfaces.ts';

/** Returns a function that asks every surface in a temporary folder. */
export function verdictFolder(): (input: VerdictInput) => Promise<Verdicts> {
  const home = process.cwd();
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'render-rgd-verdict-'));
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true });
  });
  return (input) => {
    writeFileSync(join(folder, input.file), input.text);
    return askSurfaces(input);
  };
}
