import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readStream } from '../src/yaml/parse/yaml.ts';
import { invoke } from './cli/invoke.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const first = blocks.findIndex((text) => text.startsWith('# apps/website.yaml'));
const [input = '', output = ''] = blocks.slice(first);

const values = (text: string): unknown[] => readStream(text).documents.map(({ value }) => value);

it('the example of the README renders to the objects below it', async () => {
  const { code, stdout, stderr } = await invoke(['render', '-', '--strict'], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(values(stdout)).toEqual(values(output));
});

it('the README shows an error as it is reported', async () => {
  const wrong = input.replace('hosts: [alpha, beta]', 'hosts: alpha');
  const { stderr } = await invoke(['render', '-', '--strict'], wrong);
  const said = stderr.slice(stderr.indexOf('error['));
  expect(readme).toContain(said.replace(/--> -:\d+:\d+/, '--> apps/blog.yaml:7:10'));
});
