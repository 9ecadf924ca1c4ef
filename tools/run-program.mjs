import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles a TypeScript program of this repository, runs it with the arguments of this process and exits with its
 * result.
 */
export async function runProgram(entry) {
  // Inside node_modules, so that packages are found from there, and other tools do not copy it.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'program-'));
  try {
    const outfile = join(folder, 'program.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'es2022',
      sourcemap: 'inline',
      logLevel: 'warning',
    });
    const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...process.argv.slice(2)], {
      stdio: 'inherit',
    });
    // Without this, a program whose parent is stopped goes on.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    const [status] = await once(child, 'exit');
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
