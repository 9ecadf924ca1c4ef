import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const bundle = join(root, 'dist/render-rgd.js');

/** The command under test: the value of RENDER_RGD, such as an executable of `npm run native`, or the bundle. */
export const command = resolve(process.env.RENDER_RGD ?? bundle);

/** Whether an executable is under test, which needs no Node and accepts no options of it. */
export const isNative = command !== bundle;

/** Returns a temporary copy of examples/ with the command in a dist/ beside it, so that relative paths are valid. */
export function sandbox(): string {
  const folder = temporaryFolder('e2e');
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  symlinkSync(command, join(folder, 'dist/render-rgd.js'));
  return join(folder, 'examples');
}

/**
 * The timeout of a child process, in milliseconds, also on a busy machine. No test measures time: `npm run bench` does.
 */
export const HANGING = 600_000;

/** For a start of Node without the code that the tests keep (code-cache.ts). */
export const plainEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, NODE_OPTIONS: '' });

export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

export function execute(
  command: string,
  args: readonly string[],
  options: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv } = {},
): Result {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: HANGING,
    ...options,
  });
  if (error !== undefined) throw error;
  return { code: status ?? -1, stdout, stderr };
}

/** Returns the path of a tool: on the PATH, or in the folder of `go install`. */
export function findTool(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Defines tests that need a tool: skipped if it is missing, but a failure in CI. */
export function describeWith(tool: string, body: (path: string) => void): void {
  const path = findTool(tool);
  if (path !== undefined) describe(tool, () => body(path));
  else if (process.env.CI === 'true') it(`${tool} is installed`, () => expect(path).toBeDefined());
  else describe.skip(`${tool} (not installed)`, () => it('is not tested', () => undefined));
}

/** Defines tests that need several tools, or none. */
export function describeWithAll(tools: readonly string[], name: string, body: () => void): void {
  const missing = tools.filter((tool) => findTool(tool) === undefined);
  if (missing.length === 0) describe(name, body);
  else if (process.env.CI === 'true')
    it(`${name}: ${missing.join(', ')} is installed`, () => expect(missing).toEqual([]));
  else describe.skip(`${name} (${missing.join(', ')} not installed)`, () => it('is not tested', () => undefined));
}

/** Every file below a folder with its text. */
export function filesOf(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[relative(folder, path)] = readFileSync(path, 'utf8');
  }
  return files;
}
