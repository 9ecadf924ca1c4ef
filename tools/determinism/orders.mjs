import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './invocation.mjs';

const input = join(root, 'examples/collections/input');
const platform = join(root, 'examples/argocd/platform');
const shop = join(root, 'examples/argocd/shop');

/** Writes a package of several files, created in the order of their names or in reverse. */
export function packageOf(folder, { backwards }) {
  const target = mkdtempSync(join(folder, 'package-'));
  const read = (file) => readFileSync(join(input, file), 'utf8');
  const files = ['cache.rgd.yaml', 'storefront.rgd.yaml'].map((name) => ({ name, text: read(name) }));
  const instance = read('books.yaml');
  for (const name of ['books', 'games', 'music', 'wine']) {
    files.push({ name: `${name}.yaml`, text: instance.replace('name: books', `name: ${name}`) });
  }
  for (const { name, text } of backwards ? files.toReversed() : files) writeFileSync(join(target, name), text);
  return target;
}

/**
 * Returns pairs of invocations that must print the same: files created or named in another order that has no meaning.
 */
export function reorderings(folder) {
  const packages = [false, true].map((backwards) => ({
    args: ['render', '.'],
    cwd: packageOf(folder, { backwards }),
  }));
  const definitions = [platform, join(input, 'cache.rgd.yaml')];
  const options = (paths) => paths.flatMap((path) => ['--definitions', path]);
  const beside = [definitions, definitions.toReversed()].map((paths) => ({
    args: ['render', shop, ...options(paths)],
  }));
  const twice = [
    [shop, ...options([platform])],
    [shop, shop, ...options([platform, platform])],
  ].map((args) => ({ args: ['render', ...args] }));
  return [
    pair('files made in another order', packages),
    pair('--definitions given in another order', beside),
    pair('paths given twice', twice),
  ];
}

const pair = (name, [first, second]) => ({ name, first, second });
