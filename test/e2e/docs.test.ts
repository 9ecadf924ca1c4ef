import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { runPage, toolsOf } from '../docs-run/run.ts';
import { partOf } from '../properties/runs.ts';
import { bundle, describeWithAll, isNative } from './sandbox.ts';

const root = dirname(dirname(bundle));
const pages = [
  'README.md',
  ...[
    'kustomize',
    'kpt',
    'argocd',
    'argocd-load',
    'ci',
    'pending',
    'migrating-from-kro',
    'cluster',
    'diff',
    'validate',
    'testing',
    'compat',
    'compat-changes',
    'trees',
    'plan',
    'branches',
    'graph',
    'rbac',
    'library',
    'explain',
    'fmt',
    'leave-out',
    'extract',
    'offers',
    'resourceset',
    'simpleschema',
    'secrets',
    'environments',
    'recipes',
    'flux',
    'argocd-chart',
    'drydock',
  ].map((name) => `docs/${name}.md`),
];

// A run without TABLES=all takes a quarter with the bundle, and another with an executable.
for (const page of partOf(pages, 4, isNative ? 2 : 0).filter((name) => existsSync(join(root, name)))) {
  const markdown = readFileSync(join(root, page), 'utf8');
  describeWithAll(toolsOf(markdown), page, () => {
    it('prints what the page shows', () => expect(runPage(markdown).join('\n')).toBe(''));
  });
}
