import { thisProcess } from '../../../../src/cli/write/workspace.ts';
import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import { type Example, inFolder } from './example.ts';

const MAP = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n';
const LIST = `${'0'.repeat(64)}  configmap-a.yaml\n`;
const tree = (files: Readonly<Record<string, string>>, ...options: string[]): Example['find'] =>
  inFolder({ 'in/a.yaml': MAP, ...files }, 'render', 'in', '--all', '--output-dir', 'out', ...options);

export const treeExamples = {
  'tree-clash': { find: tree({ 'in/b.yaml': '{apiVersion: v1, kind: Pod, metadata: {generateName: b-}}\n' }) },
  'tree-edited': { find: tree({ 'out/.render-rgd.sha256': LIST, 'out/configmap-a.yaml': 'a: 1\n' }), hint: '--force' },
  'tree-list': { find: tree({ 'out/.render-rgd.sha256': 'what is this?\n' }), hint: '--force' },
  'tree-locked': {
    find: tree({ [`out/.render-rgd.tmp/lock/${'0'.repeat(32)}/owner`]: JSON.stringify(thisProcess()) }),
    hint: 'when it has finished',
  },
  'tree-occupied': { find: tree({ 'out/configmap-a.yaml': 'a: 1\n' }), hint: '--force' },
  'tree-stale': { find: tree({}, '--check'), hint: 'without --check' },
  'tree-written': { find: tree({}), severity: 'info' },
} as const satisfies Partial<Record<Code, Example>>;
