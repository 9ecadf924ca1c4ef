import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOT_REGULAR } from '../../src/cli/file-system.ts';
import { invoke } from './invoke.ts';

const example = fileURLToPath(new URL('../../examples/pending', import.meta.url));
const expected = readFileSync(`${example}/observed.yaml`, 'utf8');
const live = readFileSync(`${example}/live.yaml`, 'utf8');
const observe = (...args: string[]) => invoke(['observe', `${example}/site`, ...args], live);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-observe-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('observe', () => {
  it('prints the fields of live objects that the package reads', async () => {
    expect(await observe('--from', `${example}/live.yaml`)).toEqual({ code: 0, stdout: expected, stderr: '' });
    expect((await observe('--from', '-')).stdout).toBe(expected);
  });

  it('prints JSON', async () => {
    const { stdout } = await observe('--from', '-', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject([{ kind: 'Service', metadata: { name: 'blog', namespace: 'web' } }]);
  });

  it('writes a file, and does not touch it if nothing changed', async () => {
    const file = join(folder, 'observed.yaml');
    expect(await observe('--from', '-', '--write', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(expected);
    utimesSync(file, 1, 1);
    await observe('--from', '-', '--write', file);
    expect(statSync(file).mtimeMs).toBe(1000);
    expect(readdirSync(folder)).toEqual(['observed.yaml']);
  });

  it('keeps objects of the file that are still read, and removes the others', async () => {
    const file = join(folder, 'observed.yaml');
    writeFileSync(file, `${expected}---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: old, namespace: web}}\n`);
    const nothing = join(folder, 'nothing.yaml');
    writeFileSync(nothing, '');
    const { code, stderr } = await observe('--from', nothing, '--write', file);
    expect(code).toBe(0);
    expect(stderr).toContain('nothing reads ConfigMap web/old');
    expect(readFileSync(file, 'utf8')).toBe(expected);
  });

  it('keeps a link a link', async () => {
    writeFileSync(join(folder, 'real.yaml'), '');
    symlinkSync('real.yaml', join(folder, 'link.yaml'));
    await observe('--from', '-', '--write', join(folder, 'link.yaml'));
    expect(readFileSync(join(folder, 'real.yaml'), 'utf8')).toBe(expected);
  });

  it('does not change the file after an error', async () => {
    const file = join(folder, 'observed.yaml');
    writeFileSync(file, expected);
    const { code } = await invoke(
      ['observe', `${example}/site`, '--from', '-', '--write', file],
      '{apiVersion: v1, kind: Status}',
    );
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(expected);
    const { code: other, stderr } = await observe('--from', '-', '--write', join(folder, 'no/such/folder.yaml'));
    expect({ other, stderr }).toEqual({
      other: 1,
      stderr: expect.stringMatching(/^error\[unwritable-file\]: cannot write /),
    });
    expect(readdirSync(folder)).toEqual(['observed.yaml']);
  });

  it('requires a source of live objects', async () => {
    expect(await observe()).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error[command-line]: observe needs --from PATH; - reads standard input\n',
    });
  });

  it.each([
    ['a named pipe', (file: string) => void execFileSync('mkfifo', [file])],
    [
      'a link to a named pipe',
      (file: string) => {
        execFileSync('mkfifo', [`${file}.pipe`]);
        symlinkSync(`${file}.pipe`, file);
      },
    ],
    ['a folder', (file: string) => mkdirSync(file), 'it is a folder'],
    ['a device', (file: string) => symlinkSync('/dev/zero', file), 'leads out of'],
  ])('does not block on %s, and does not replace it', async (_, make, reason = NOT_REGULAR.message) => {
    const file = join(folder, 'observed.yaml');
    make(file);
    const before = readdirSync(folder);
    const { code, stdout, stderr } = await observe('--from', '-', '--write', file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.startsWith(`error[unwritable-file]: cannot write ${file}: `)).toBe(true);
    expect(stderr).toContain(reason);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('does not replace a link that leads nowhere', async () => {
    const file = join(folder, 'observed.yaml');
    symlinkSync(join(folder, 'missing.yaml'), file);
    const { code, stderr } = await observe('--from', '-', '--write', file);
    expect(code).toBe(1);
    expect(stderr).toContain(`cannot write ${file}: ${file} is a link that leads nowhere`);
    expect(readdirSync(folder)).toEqual(['observed.yaml']);
  });
});
