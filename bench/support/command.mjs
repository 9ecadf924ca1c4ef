import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fileOf, hostTarget } from '../../tools/native/targets.mjs';

const BUNDLE = fileURLToPath(new URL('../../dist/render-rgd.js', import.meta.url));
const target = hostTarget();
const executable = fileURLToPath(
  new URL(`../../dist-native/${target === undefined ? 'none' : fileOf(target)}`, import.meta.url),
);

/** The bundle with Node, as the start of a command line. */
export const onNode = [process.execPath, BUNDLE];

/** The executable; undefined if `npm run native` did not build it. */
export const native = existsSync(executable) ? [executable] : undefined;

/** @throws Error if there is nothing to measure */
export function checkBuilt() {
  if (!existsSync(BUNDLE)) throw new Error('there is no dist/render-rgd.js: npm run build');
}
