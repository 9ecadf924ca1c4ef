import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Language } from '../../../src/authoring/language/index.ts';

const example = (path: string): string =>
  readFileSync(new URL(`../../../examples/policies/${path}`, import.meta.url), 'utf8');

it('a denial is reported at the line of the template, while the instance is edited', () => {
  const language = new Language();
  const files = { 'render-rgd.yaml': 'policies: [policies]\n' };
  for (const path of ['platform.yaml', 'policies/replicas.yaml', 'shop.yaml']) {
    Object.assign(files, { [path]: example(path) });
  }
  for (const [path, text] of Object.entries(files)) language.workspace.setFile(`file:///repo/${path}`, text);
  const template = 'file:///repo/platform.yaml';
  while (language.checkNext());
  expect(language.diagnostics(template)).toEqual([]);
  language.workspace.setFile('file:///repo/shop.yaml', example('shop.yaml').replace('replicas: 3', 'replicas: 10'));
  while (language.checkNext());
  const line = example('platform.yaml')
    .split('\n')
    .indexOf(`${' '.repeat(10)}replicas: \${schema.spec.replicas}`);
  expect(line).toBeGreaterThan(0);
  expect(language.diagnostics(template)).toMatchObject([
    { code: 'policy-denied', message: expect.stringContaining('at most 5 replicas'), range: { start: { line } } },
  ]);
});
