import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile, replaceFiles } from '../../../src/cli/write/index.ts';
import { thisProcess } from '../../../src/cli/write/workspace.ts';
import { invoke } from '../invoke.ts';

let folder: string;
const at = (path: string): string => join(folder, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-replace-'));
  writeFileSync(at('file'), 'old');
});
afterEach(() => rmSync(folder, { recursive: true }));

const expectsOld = (content?: Uint8Array): boolean =>
  content !== undefined && String(content) === String(Buffer.from('old'));

describe('replaceFile', () => {
  it('keeps the mode, and leaves nothing else', () => {
    chmodSync(at('file'), 0o664);
    expect(replaceFile(at('file'), ['new'])).toEqual([]);
    expect([read('file'), statSync(at('file')).mode & 0o777, readdirSync(folder)]).toEqual(['new', 0o664, ['file']]);
  });

  it('does not replace a read-only file', () => {
    chmodSync(at('file'), 0o444);
    expect(replaceFile(at('file'), ['new'])[0]?.message).toContain('it is read-only');
    expect(read('file')).toBe('old');
  });

  it.each([
    ['changed', () => writeFileSync(at('file'), 'other')],
    ['removed', () => rmSync(at('file'))],
  ])('does not replace a file that was %s after it was read', (_, change) => {
    expect(replaceFile(at('file'), ['new'], { expects: expectsOld })).toEqual([]);
    writeFileSync(at('file'), 'old');
    change();
    const before = readdirSync(folder).map(read);
    expect(replaceFile(at('file'), ['new'], { expects: expectsOld })[0]?.message).toContain(
      'it was changed after it was read',
    );
    expect(readdirSync(folder).map(read)).toEqual(before);
  });

  it('follows a link, unless that leads out of its folder or of the one in which it was found', () => {
    mkdirSync(at('inner'));
    symlinkSync(at('file'), at('link'));
    symlinkSync(at('file'), at('inner/link'));
    expect(replaceFile(at('inner/link'), ['new'])[0]?.message).toContain('is a link that leads out of ');
    expect(replaceFile(at('inner/link'), ['new'], { within: at('inner') })[0]?.message).toContain('leads out of ');
    expect(read('file')).toBe('old');
    for (const [path, within] of [
      ['link', undefined],
      ['inner/link', folder],
    ] as const) {
      writeFileSync(at('file'), 'old');
      expect(replaceFile(at(path), ['new'], { within })).toEqual([]);
      expect([read('file'), lstatSync(at(path)).isSymbolicLink()]).toEqual(['new', true]);
    }
  });

  it('follows no link out of a repository, wherever it is on the way', () => {
    mkdirSync(at('repository/.git'), { recursive: true });
    mkdirSync(at('outside'));
    writeFileSync(at('outside/file'), 'old');
    symlinkSync('../outside', at('repository/folder'));
    symlinkSync('../outside/file', at('repository/link'));
    symlinkSync('../outside/none', at('repository/dangling'));
    for (const path of ['folder/file', 'folder/other', 'link', 'dangling']) {
      expect(replaceFile(at(`repository/${path}`), ['new'])[0]?.message).toMatch(
        /is a link that leads (out of|nowhere)/,
      );
    }
    expect(readdirSync(at('outside')).map((name) => read(`outside/${name}`))).toEqual(['old']);
    symlinkSync(at('repository'), at('elsewhere'));
    expect(replaceFile(at('elsewhere/file'), ['new'])).toEqual([]);
    expect(read('repository/file')).toBe('new');
  });

  it('reports the process that is writing the file', () => {
    const lock = at(`.file.render-rgd.tmp/lock/${'0'.repeat(32)}`);
    mkdirSync(lock, { recursive: true });
    writeFileSync(join(lock, 'owner'), JSON.stringify(thisProcess()));
    expect(replaceFile(at('file'), ['new'])[0]?.message).toContain(
      `another process is writing it (process ${process.pid} on `,
    );
    expect([read('file'), readdirSync(lock)]).toEqual(['old', ['owner']]);
  });
});

describe('replaceFiles', () => {
  it('follows no link below its folder', () => {
    mkdirSync(at('inner'));
    symlinkSync(at('file'), at('inner/link'));
    symlinkSync(folder, at('inner/up'));
    for (const path of ['inner/link', 'inner/up/file', 'inner/up/new/file', 'inner/../file', 'inner']) {
      const [fault] = replaceFiles(at('inner'), [{ file: at(path), output: ['new'] }]);
      expect(fault?.message).toMatch(/is a link|it is outside of/);
    }
    expect([read('file'), readdirSync(folder).sort(), readdirSync(at('inner')).sort()]).toEqual([
      'old',
      ['file', 'inner'],
      ['link', 'up'],
    ]);
  });

  it('creates, replaces and removes files, or changes none', () => {
    const changes = [
      { file: at('file'), output: ['new'] },
      { file: at('other'), output: undefined },
      { file: at('third'), output: ['third'] },
    ];
    mkdirSync(at('other'));
    expect(replaceFiles(folder, changes)[0]?.message).toContain('it is a folder');
    expect(readdirSync(folder).sort()).toEqual(['file', 'other']);
    expect(read('file')).toBe('old');
    rmSync(at('other'), { recursive: true });
    writeFileSync(at('other'), '');
    expect(replaceFiles(folder, changes)).toEqual([]);
    expect(readdirSync(folder).sort().map(read)).toEqual(['new', 'third']);
  });
});

describe('a writer that stays below its folder', () => {
  it('updates no expectation through a link', async () => {
    mkdirSync(at('tests/a'), { recursive: true });
    writeFileSync(at('tests/a/test.yaml'), 'all: true\n');
    writeFileSync(at('tests/a/map.yaml'), '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: x}}\n');
    writeFileSync(at('precious'), '{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: x}}\n');
    symlinkSync(at('precious'), at('tests/a/expected.yaml'));
    const { code, stderr } = await invoke(['test', at('tests'), '--update']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('it is a link') });
    expect(read('precious')).toContain('name: b');
  });
});
