import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_BYTES, OutsideError, readRegularFile, readRegularText, withinAny } from '../../src/cli/file-system.ts';
import { invoke } from './invoke.ts';

let top: string;
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'render-rgd-regular-'));
});
afterAll(() => rmSync(top, { recursive: true }));
const fileOf = (name: string, text: string | Uint8Array = ''): string => {
  writeFileSync(join(top, name), text);
  return join(top, name);
};

/** Files that are read otherwise: to be replaced, and those of the program itself. */
const OTHERS = ['init.ts', 'playground/run.ts', 'tree/index.ts'];
const FOLDERS = ['git/', 'write/'];

describe('a regular file', () => {
  it('is opened in one module', () => {
    const opening = /\b(readFile|readFileSync|openSync|createReadStream|openAsBlob|opendir)\b/;
    const files = readdirSync('src/cli', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && opening.test(readFileSync(join('src/cli', file), 'utf8')),
    );
    const isOther = (file: string): boolean =>
      OTHERS.includes(file) || FOLDERS.some((folder) => file.startsWith(folder));
    expect(files.filter((file) => !isOther(file))).toEqual(['file-system.ts']);
  });

  it('is read whole, whatever its size', () => {
    for (const size of [0, 1, 65_535, 65_536, 65_537, 1_000_000]) {
      const bytes = Buffer.alloc(size, 'abc');
      expect(readRegularFile(fileOf('some', bytes)).equals(bytes)).toBe(true);
    }
  });

  it.runIf(process.platform === 'linux')('that has no size is read up to the limit', () => {
    expect(readRegularText('/proc/self/status')).toContain('Pid:');
    expect(() => readRegularFile('/proc/self/status', { limit: 20 })).toThrow('larger than 20 bytes');
  });

  it('that is too large is an error of every command, before it is read', async () => {
    const file = fileOf('large.yaml');
    truncateSync(file, MOST_BYTES + 1);
    const { code, stderr } = await invoke(['render', file]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error[unreadable-file]: cannot read ${file}: it is larger than ${MOST_BYTES} bytes\n`,
    });
  });

  it('that is a folder, or not UTF-8, is an error', () => {
    expect(() => readRegularFile(top)).toThrow('it is a folder');
    expect(() => readRegularText(fileOf('bytes', Buffer.from([0xff])))).toThrow();
  });

  it('outside of the boundary is the same error whether it exists or not', () => {
    const within = withinAny([top]);
    for (const target of ['/etc/hostname', '/etc/missing', '/dev/zero', '/etc', '/root/.ssh/missing/x']) {
      const link = join(top, 'link');
      symlinkSync(target, link);
      expect(() => readRegularFile(link, { within })).toThrow(new OutsideError(`${link} is outside the repository`));
      rmSync(link);
    }
    symlinkSync(fileOf('inside', 'text'), join(top, 'link'));
    expect(readRegularText(join(top, 'link'), { within })).toBe('text');
  });
});
