import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './invocation.mjs';

const input = join(root, 'examples/collections/input');
const platform = join(root, 'examples/argocd/platform');
const shop = join(root, 'examples/argocd/shop');

/** Pairs of invocations that must print the same: files made or named in another order where that has no meaning. */
export function reorderings(folder) {
  const forth = readdirSync(input).sort();
  const packages = [forth, forth.toReversed()].map((files) => ({ args: ['render', '.'], cwd: copied(files, folder) }));
  const definitions = [platform, join(input, 'cache.rgd.yaml')];
  const options = (paths) => paths.flatMap((path) => ['--definitions', path]);
  const beside = [definitions, definitions.toReversed()].map((paths) => ({
    args: ['render', shop, ...options(paths)],
  }));
  const twice = [
    [shop, ...options([platform])],
    [shop, shop, ...options([platform, platform])],
  ];
  const named = twice.map((args) => ({ args: ['render', ...args] }));
  return [
    pair('files made in another order', packages),
    pair('--definitions given in another order', beside),
    pair('paths given twice', named),
  ];
}

const pair = (name, [first, second]) => ({ name, first, second });

/** A file system in memory lists a folder in the order in which its files were made. */
function copied(files, folder) {
  const target = mkdtempSync(join(folder, 'order-'));
  for (const file of files) copyFileSync(join(input, file), join(target, file));
  return target;
}
