import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { textDigest } from '../src/core/digest/hashes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const recordFile = join(root, 'test/rendered-bytes.json');

/** The rendered objects of the examples and of the function, as the last change of the list in CHANGELOG.md left them. */
interface Recorded {
  /** The digest of the lists of changed bytes. */
  changes: string;
  files: Readonly<Record<string, string>>;
}

const digest = (text: string): string => textDigest(text, 16);

function renderedFiles(): Record<string, string> {
  const paths = ['examples', 'test/function'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
      .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`.replaceAll('\\', '/'))
      .filter((path) => /\/expected(?:\.yaml$|\/)/.test(path)),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, digest(readFileSync(join(root, path), 'utf8'))]));
}

/** Returns the sections of a change log that list changed bytes, by the title of their release. */
function listsIn(changelog: string): [release: string, list: string | undefined][] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((release) => {
      const [title = ''] = release.split('\n');
      const list = release.split(/^### /m).find((section) => section.startsWith('Rendered bytes\n'));
      return [title, list?.slice('Rendered bytes\n'.length).trim()];
    });
}

const lists = listsIn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));

function recorded(): Recorded {
  return JSON.parse(readFileSync(recordFile, 'utf8'));
}

/** Returns the recorded files with other bytes now; a new file is no change. */
const changedFiles = (before: Recorded['files'], after: Recorded['files']): string[] =>
  Object.keys(before).filter((path) => after[path] !== before[path]);

describe('CHANGELOG.md lists changed bytes', () => {
  it('has a list for each release', () => {
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter(([, list]) => list === undefined || list === '')).toEqual([]);
  });

  it('has another list if the bytes of an example changed', () => {
    const files = renderedFiles();
    const changes = digest(JSON.stringify(lists));
    expect(Object.keys(files).length).toBeGreaterThan(20);
    const changed = changedFiles(recorded().files, files);
    // RECORDING accepts other bytes only together with another list.
    if (process.env.RECORDING === 'rendered-bytes' && (changed.length === 0 || changes !== recorded().changes)) {
      writeFileSync(recordFile, `${JSON.stringify({ changes, files }, null, 2)}\n`);
    }
    expect(
      changedFiles(recorded().files, files),
      'say what changed under "Rendered bytes" in CHANGELOG.md, and run this test with RECORDING=rendered-bytes',
    ).toEqual([]);
  });

  it('sees a changed file and a removed one, and no new one', () => {
    expect(changedFiles({ a: '1', b: '2', c: '3' }, { a: '1', b: '3', d: '4' })).toEqual(['b', 'c']);
  });

  it('finds the list of each release', () => {
    expect(listsIn('# Log\n\n## 2\n\n### Rendered bytes\n\n- x\n\n### Rendering\n\n## 1\n\n### Rendering\n')).toEqual([
      ['2', '- x'],
      ['1', undefined],
    ]);
  });
});
