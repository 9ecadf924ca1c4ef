import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLong } from '../properties/runs.ts';
import { bundle, execute } from './sandbox.ts';

/**
 * Keeps the compiled code of the bundle, which is half of each of the many starts, while the tests run. The nightly run
 * starts the bundle as users do; so do the tests with an environment of their own.
 */
export default function keepCode(): (() => void) | undefined {
  if (isLong) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-code-'));
  process.env.CODE_CACHE = folder;
  process.env.NODE_OPTIONS = `--require ${JSON.stringify(fileURLToPath(new URL('code-cache.cjs', import.meta.url)))}`;
  // A command and a ResourceSet, so that every text of the bundle is compiled.
  execute(process.execPath, [
    bundle,
    'validate',
    fileURLToPath(new URL('../../examples/resourceset', import.meta.url)),
  ]);
  return () => rmSync(folder, { recursive: true });
}
