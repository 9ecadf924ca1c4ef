import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { RenderInput } from '../../src/api/tools/index.ts';
import { invoke } from '../cli/invoke.ts';

const folders: string[] = [];
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

/** A folder with a file for each source, `0.yaml` and so on. */
export function folder({ objects }: RenderInput): string {
  const path = mkdtempSync(join(tmpdir(), 'render-rgd-tools-'));
  folders.push(path);
  objects.forEach((one, index) => {
    writeFileSync(join(path, `${index}.yaml`), 'text' in one ? one.text : JSON.stringify(one));
  });
  return path;
}

/** Returns what a successful command prints. */
export async function command(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await invoke(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}
