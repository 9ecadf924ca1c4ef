import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { invoke } from './cli/invoke.ts';

const examples = fileURLToPath(new URL('../examples', import.meta.url));

// The other examples need kustomize and kpt: test/e2e.
it('the collections example renders as documented', async () => {
  const { code, stdout, stderr } = await invoke(['render', `${examples}/collections/input`, '--strict']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(readFileSync(`${examples}/collections/expected.yaml`, 'utf8'));
});

it('the ResourceSet example renders as documented', async () => {
  const { code, stdout, stderr } = await invoke(['render', `${examples}/resourceset/input`, '--strict']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(readFileSync(`${examples}/resourceset/expected.yaml`, 'utf8'));
});

it('the example of compat finds the change by a generated instance', async () => {
  const folder = `${examples}/compat`;
  const versions = [`${folder}/old`, `${folder}/new`, '--instances', `${folder}/sites.yaml`];
  const { code, stdout } = await invoke(['compat', ...versions, '--require-label', 'example.com/version']);
  expect(code).toBe(1);
  expect(stdout.replaceAll(`${folder}/`, '')).toBe(readFileSync(`${folder}/expected.txt`, 'utf8'));
});
