import { describe, expect, it } from 'vitest';
import { type Text, trusted } from '../../../src/core/diagnostics/index.ts';
import {
  type Folder,
  ownedText,
  type Present,
  parseOwned,
  planTree,
  staleReports,
  summaryOf,
} from '../../../src/render/tree/index.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const list = (files: Readonly<Record<string, string>>): string =>
  ownedText(Object.entries(files).map(([path, digest]) => ({ path, digest })));

describe('the list of files', () => {
  it('is sorted, and can be read back', () => {
    const text = list({ 'b.yaml': B, 'a/x.yaml': A });
    expect(text).toBe(`${A}  a/x.yaml\n${B}  b.yaml\n`);
    const owned = new Map(Object.entries({ 'a/x.yaml': new Set([A]), 'b.yaml': new Set([B]) }));
    expect(parseOwned([text])).toEqual({ owned });
  });

  it('combines several lists', () => {
    const merged = `<<<<<<< ours\n${A}  a.yaml\n=======\n${B}  a.yaml\n>>>>>>> theirs\n`;
    const { owned } = parseOwned([merged, list({ 'a.yaml': C })]) as { owned: Map<string, Set<string>> };
    expect([...(owned.get('a.yaml') ?? [])]).toEqual([A, B, C]);
  });

  const PATHS = ['../a', '/a', 'a/../../b', '.git/config', 'a//b', 'a/.b', 'a\\b'];
  it.each(['x', `${A} a.yaml`, `${A}  `, ...PATHS.map((path) => `${A}  ${path}`)])(
    'rejects other names: %s',
    (line) => {
      expect(parseOwned([`${line}\n`])).toEqual({ fault: 'line 1 is not the digest and the path of a file below it' });
      expect(parseOwned([`${line}\n`], true)).toEqual({ owned: new Map() });
    },
  );
});

const plan = (
  wanted: Readonly<Record<string, string>>,
  owned: Readonly<Record<string, string>>,
  disk: Readonly<Record<string, string | { instead: Text }>>,
  force = false,
) => {
  const parsed = parseOwned([list(owned)]);
  if ('fault' in parsed) throw new Error(parsed.fault);
  const present = (path: string): Present => {
    const at = disk[path] ?? 'missing';
    return typeof at === 'object' || at === 'missing' ? at : { digest: at };
  };
  const files = Object.entries(wanted).map(([path, digest]) => ({ path, digest }));
  const folder: Folder = { owned: parsed.owned, present, shown: (path) => trusted.file(path) };
  const made = planTree(files, folder, { force });
  return { ...made, stale: staleReports(made, folder).map(({ message }) => message) };
};

describe('a plan', () => {
  it('writes new or changed files, removes stale ones, and keeps the rest', () => {
    const owned = { changed: B, same: A, over: C };
    const made = plan({ new: A, changed: A, same: A }, owned, owned);
    expect(made).toMatchObject({ write: ['new', 'changed'], remove: ['over'], unchanged: 1, reports: [] });
    expect(summaryOf(made)).toBe('2 files written, 1 removed, 1 unchanged');
    expect(made.stale).toEqual(['new is missing', 'changed is out of date', 'over is not rendered any more']);
  });

  it('writes removed files again, and removes nothing twice', () => {
    expect(plan({ a: A }, { a: A, over: B }, {})).toMatchObject({ write: ['a'], remove: [], reports: [] });
  });

  it('claims existing files with the same content', () => {
    expect(plan({ a: A }, {}, { a: A })).toMatchObject({ write: [], unchanged: 1, reports: [] });
  });

  it.each<[string, Record<string, string>, Record<string, string>, Record<string, string>, string]>([
    ['an edited file', { a: A }, { a: B }, { a: C }, 'tree-edited'],
    ['an edited file that is over', {}, { a: B }, { a: C }, 'tree-edited'],
    ['a file of somebody else', { a: A }, {}, { a: C }, 'tree-occupied'],
  ])('does not touch %s without --force', (_, wanted, owned, disk, code) => {
    expect(plan(wanted, owned, disk)).toMatchObject({ write: [], remove: [], reports: [{ code }] });
    const forced = plan(wanted, owned, disk, true);
    expect(forced.reports).toEqual([]);
    expect([...forced.write, ...forced.remove]).toEqual(['a']);
  });

  it('never replaces a link or a folder', () => {
    const disk = { a: { instead: trusted.file('a link') } };
    expect(plan({ a: A }, { a: A }, disk, true).reports).toMatchObject([{ code: 'tree-occupied' }]);
    expect(plan({}, { a: A }, disk, true)).toMatchObject({ remove: [], reports: [{ code: 'tree-occupied' }] });
  });

  it('writes a file again if its name changed in case only, because removing the old name may remove it', () => {
    expect(plan({ x: A }, { X: A }, { x: A, X: A })).toMatchObject({ write: ['x'], remove: ['X'] });
  });
});
