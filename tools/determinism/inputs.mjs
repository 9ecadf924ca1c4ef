import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findCases } from '../conformance-cases.mjs';
import { root } from './invocation.mjs';
import { packageOf } from './orders.mjs';

/**
 * Returns files, folders and ResourceLists, valid and invalid ones, by absolute paths. `folder` is for created files.
 * Only one in so many conformance cases and ResourceLists is used.
 */
export function invocations(folder, { cases, lists }) {
  const at = (path) => join(root, path);
  const pending = ['pending', at('examples/pending/site')];
  return [
    { name: 'render a folder', args: ['render', packageOf(folder, { backwards: false })] },
    { name: 'render a folder of mistakes', args: ['render', at('test/cases')] },
    { name: 'render a folder as JSON', args: ['render', at('examples/collections/input'), '-o', 'json'] },
    { name: 'crd', args: ['crd', at('examples/collections/input')] },
    { name: 'pending', args: pending },
    { name: 'observe', args: ['observe', at('examples/pending/site'), '--from', at('examples/pending/live.yaml')] },
    { name: 'doctor', args: ['doctor', at('examples/kustomize'), '--exclude', 'expected*'] },
    { name: 'help', args: ['--help'] },
    { name: 'a wrong command line', args: ['rendr'] },
    { name: 'a missing file', args: ['render', '/no/such/file.yaml'] },
    { name: 'plugin', args: ['plugin', 'generate'], cwd: at('examples/argocd/shop'), env: pluginEnv },
    { name: 'text functions', args: ['render', at('tools/determinism/locale.yaml'), '--all'] },
    ...everyNth(findCases(at('test/conformance')), cases).map(conformanceCase),
    ...everyNth(readdirSync(at('test/function')).sort(), lists).map((name) => ({
      name: `ResourceList ${name}`,
      args: [],
      stdin: readFileSync(at(`test/function/${name}/input.yaml`), 'utf8'),
    })),
  ];
}

const pluginEnv = {
  ARGOCD_APP_NAMESPACE: 'shop',
  ARGOCD_APP_PARAMETERS: '[{"name":"definitions","array":["../platform"]}]',
};

function conformanceCase(folder) {
  const observed = join(folder, 'observed.yaml');
  const args = ['render', join(folder, 'input.yaml'), '--strict', '--namespace', 'default'];
  if (existsSync(observed)) args.push('--observed', observed);
  return { name: relative(root, folder), args };
}

const everyNth = (items, step) => items.filter((_, index) => index % step === 0);
