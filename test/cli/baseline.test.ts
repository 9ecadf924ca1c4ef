import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { invoke } from './invoke.ts';

const service = (name: string, port: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: web}\nspec: {ports: [{port: ${port}}]}\n`;
const WIDGET = 'apiVersion: widgets.example.com/v1\nkind: Widget\nmetadata: {name: a}\n';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('baseline');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

it('writes a baseline, after which only what is new counts', async () => {
  const folder = folderWith({
    'a.yaml': service('a', '"x"'),
    'b.yaml': service('b', '80'),
    'w.yaml': WIDGET,
    more: service('c', '80'),
  });
  const file = join(folder, '..', 'accepted.yaml');
  const run = (...more: string[]) => invoke(['validate', folder, '--accept', file, ...more]);
  expect((await invoke(['validate', folder])).code).toBe(1);
  expect((await run('--accept-new', 'on the first day')).code).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('reason: "on the first day"');
  expect(text).toContain('object: "Service/web/a"');
  const settled = await run();
  expect({ ...settled, stdout: settled.stdout.replaceAll(folder, '') }).toEqual({
    code: 0,
    stdout: '3 objects in 3 files: nothing new; 3 accepted\n',
    stderr: '',
  });
  expect((await run('--strict')).code).toBe(0);
  expect((await run('--fail-on', 'unknown')).code).toBe(0);

  writeFileSync(join(folder, 'b.yaml'), service('b', '"y"'));
  const worse = await run();
  expect(worse.code).toBe(1);
  expect(worse.stdout).toContain('error[rendered-type] Service/b: ');
  expect(worse.stdout).not.toContain('Service/a');
  expect(worse.stdout).toMatch(/1 error; 3 accepted\n$/);

  writeFileSync(join(folder, 'b.yaml'), service('b', '80'));
  writeFileSync(join(folder, 'a.yaml'), service('a', '80'));
  const fixed = await run();
  expect(fixed.code).toBe(1);
  expect(fixed.stdout).toMatch(
    /^error\[accepted-unused\]: nothing reports rendered-type of .*a\.yaml Service\/web\/a any more\n/,
  );
  expect((await run('--accept-new', 'later')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toContain('Service/web/a');
  expect((await run()).code).toBe(0);
});

it('writes entries that stay with the same bytes', async () => {
  const folder = folderWith({ 'a.yaml': service('a', '"x"') });
  const file = join(folder, '..', 'same.yaml');
  const run = () => invoke(['validate', folder, '--accept', file, '--accept-new', 'on the first day']);
  await run();
  const text = readFileSync(file, 'utf8');
  await run();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('reads accepted diagnostics of a render-rgd.yaml, also without a field', async () => {
  const entry = { code: 'rendered-type', path: 'a.yaml', object: 'Service/web/a', reason: 'legacy' };
  const folder = folderWith({
    'a.yaml': service('a', '"x"'),
    'render-rgd.yaml': JSON.stringify({ accepted: [entry] }),
  });
  const { code, stdout } = await invoke(['validate', folder]);
  expect({ code, verdict: stdout.split(': ').at(-1) }).toEqual({ code: 0, verdict: 'nothing new; 1 accepted\n' });
});

it.each([
  [{ code: 'rendered-type' }],
  [{ code: 'rendered-typo', reason: 'x' }],
  [{ code: 'rendered-type', reason: 'x', line: 3 }],
  [{ code: 'rendered-type', reason: 'x', path: 3 }],
])('rejects the entry %j', async (entry) => {
  const folder = folderWith({ 'a.yaml': service('a', '80'), 'render-rgd.yaml': JSON.stringify({ accepted: [entry] }) });
  const { code, stdout } = await invoke(['validate', folder]);
  expect(code).toBe(1);
  expect(stdout).toContain('error[settings-file]');
});

it('does not report an entry about a file that was not looked at', async () => {
  const entry = { code: 'rendered-type', path: 'a.yaml', object: 'Service/web/a', reason: 'legacy' };
  const folder = folderWith({ 'a.yaml': service('a', '"x"'), 'b.yaml': service('b', '80') });
  const file = join(folder, 'accepted.yaml');
  writeFileSync(file, JSON.stringify({ accepted: [entry] }));
  expect((await invoke(['validate', join(folder, 'b.yaml'), '--accept', file])).code).toBe(0);
});

it('needs a file for --accept-new', async () => {
  expect((await invoke(['validate', '.', '--accept-new', 'x'])).code).toBe(2);
});
