import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { bundle, execute, type Result } from './sandbox.ts';

const root = dirname(dirname(bundle));

const offline = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

/** Runs npm without the registry. */
export const npm = (args: readonly string[], cwd: string): Result => execute('npm', args, { cwd, env: offline });

/**
 * Packs dist/ into a folder and returns the name of the file. It does not build dist/, because other tests are running
 * it.
 */
export function packInto(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'dist/package.json'), 'utf8'));
  if (version === undefined) throw new Error('dist/ is no package: npm run build');
  expect(npm(['pack', './dist', '--pack-destination', folder], root)).toMatchObject({ code: 0 });
  const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `render-rgd-${config.version}.tgz`;
}
