import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readStream } from '../src/parse/yaml.ts';
import { invoke } from './shells/invoke.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [input = '', output = ''] = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);

const values = (text: string): unknown[] => readStream(text).documents.map(({ value }) => value);

it('the first block of the README renders to the second', async () => {
  const { code, stdout, stderr } = await invoke(['render', '-', '--strict'], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(values(stdout)).toEqual(values(output));
});

it('the error in the README is one', async () => {
  const wrong = input.replace('hosts: [alpha, beta]', 'hosts: alpha');
  const { stderr } = await invoke(['render', '-', '--strict'], wrong);
  const said = stderr.slice(stderr.indexOf('error['));
  expect(readme).toContain(said);
});
