import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { stepsOf } from '../docs-run/page.ts';
import { runPage, toolsOf } from '../docs-run/run.ts';
import { partOf } from '../properties/runs.ts';
import { bundle, describeWithAll, isNative } from './sandbox.ts';

const root = dirname(dirname(bundle));
/** Every page that has a command or a module to run. */
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter(
  (page) => page.endsWith('.md') && stepsOf(readFileSync(join(root, page), 'utf8')).some((step) => step.do === 'run'),
);

// A run without TABLES=all takes a quarter with the bundle, and another with an executable.
for (const page of partOf(pages, 4, isNative ? 2 : 0)) {
  const markdown = readFileSync(join(root, page), 'utf8');
  describeWithAll(toolsOf(markdown), page, () => {
    it('prints what the page shows', () => expect(runPage(markdown).join('\n')).toBe(''));
  });
}
