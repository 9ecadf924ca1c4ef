import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFiles } from '../../../src/cli/files.ts';
import { OpenedFiles, pageWith } from '../../../src/cli/playground/opened.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';

let work: string;
let folder: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'render-rgd-opened-'));
  folder = join(work, 'd');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'a.yaml'), 'a: 1\n');
  writeFileSync(join(folder, 'sub/b.yaml'), 'b: 1\n');
  writeFileSync(join(work, 'outside.yaml'), 'outside: 1\n');
});
afterEach(() => rmSync(work, { recursive: true }));

function openedAt(...paths: string[]): OpenedFiles {
  return new OpenedFiles(paths, () => {
    const reports = new Collector();
    const found = readFiles(paths, { exclude: [], stdin: new Uint8Array() }, reports);
    return { texts: [['objects', found]], faults: reports.all };
  });
}

/** The name and the digest of the file whose name ends so. */
function fileOf(opened: OpenedFiles, end: string): { name: string; digest: string } {
  const found = opened.snapshot().files.find(({ name }) => name.endsWith(end));
  if (found === undefined) throw new Error(`there is no ${end}`);
  return found;
}

const read = (...path: string[]): string => readFileSync(join(work, ...path), 'utf8');

describe('the opened files of the playground', () => {
  it('have unique names relative to a folder', () => {
    const texts = (...names: string[]) => names.map((file) => ({ file, text: '' }));
    const found = [
      ['objects', texts('a.yaml', './b.yaml', '../c/a.yaml', '/a.yaml')],
      ['definitions', texts('a.yaml')],
    ] as const;
    const opened = new OpenedFiles([], () => ({ texts: found, faults: [] }));
    const names = ['a.yaml', 'b.yaml', 'c/a.yaml', '2/a.yaml', '3/a.yaml'];
    expect(opened.snapshot().files.map(({ name }) => name)).toEqual(names);
    expect(opened.snapshot().files.map(({ name }) => name)).toEqual(names);
  });

  it('are escaped in the element that contains them', () => {
    const found = [['objects', [{ file: 'a.yaml', text: '</script><script>$&' }]]] as const;
    const opened = new OpenedFiles([], () => ({ texts: found, faults: [] }));
    const html = Buffer.from(pageWith(Buffer.from("connect-src 'none' <body></body>"), opened, true)).toString();
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).toContain("connect-src 'self'");
    expect(html).toContain('script>$&"');
  });

  it('are read from disk at each look, and the stamp changes with them', () => {
    const opened = openedAt(folder);
    const texts = () => opened.snapshot().files.map(({ text }) => text);
    expect(texts()).toEqual(['a: 1\n', 'b: 1\n']);
    let stamp = opened.stamp();
    for (const change of [
      () => writeFileSync(join(folder, 'a.yaml'), 'a: changed\n'),
      () => writeFileSync(join(folder, 'sub/new.yaml'), 'new: 1\n'),
      () => rmSync(join(folder, 'sub/b.yaml')),
    ]) {
      change();
      expect(opened.stamp()).not.toBe(stamp);
      opened.snapshot();
      stamp = opened.stamp();
    }
    expect(texts()).toEqual(['a: changed\n', 'new: 1\n']);
  });

  it('that the page cannot show are listed, and the others are shown', () => {
    const names = [
      'back\\slash.yaml',
      'zero\u200b.yaml',
      'line\nbreak.yaml',
      `${'x'.repeat(120)}/${'y'.repeat(120)}.yaml`,
    ];
    for (const name of names) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), 'x: 1\n');
    }
    writeFileSync(join(folder, 'big.yaml'), `# ${'x'.repeat(5_000_000)}\n`);
    for (let index = 0; index < 505; index += 1) writeFileSync(join(folder, `f${index}.yaml`), 'f: 1\n');
    const { files, left } = openedAt(folder).snapshot();
    expect(files).toHaveLength(500);
    expect(left).toHaveLength(names.length + 1 + 507 - 500);
    expect(new Set(left.map(({ reason }) => reason))).toEqual(
      new Set([
        'a name has no control characters and no \\',
        'a name has at most 200 characters',
        'the page takes 5 MB',
        'the page takes 500 files',
      ]),
    );
  });
});

describe('a save of the playground', () => {
  it('replaces the text that was read, and returns the digest of the new one', () => {
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, 'sub/b.yaml');
    const saved = opened.save(name, 'b: 2\n', digest);
    expect(saved).toEqual({ state: 'written', digest: fileOf(opened, 'sub/b.yaml').digest });
    expect(read('d/sub/b.yaml')).toBe('b: 2\n');
    expect(readdirSync(join(folder, 'sub'))).toEqual(['b.yaml']);
  });

  it('is not written over a file that changed, and returns its new text', () => {
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, 'a.yaml');
    writeFileSync(join(folder, 'a.yaml'), 'a: theirs\n');
    const theirs = { state: 'changed', file: { text: 'a: theirs\n', digest: fileOf(opened, 'a.yaml').digest } };
    expect(opened.save(name, 'a: mine\n', digest)).toEqual(theirs);
    expect(opened.save(name, 'a: mine\n', '')).toEqual(theirs);
    expect(read('d/a.yaml')).toBe('a: theirs\n');
    expect(opened.save(name, 'a: theirs\n', digest)).toMatchObject({ state: 'written' });
  });

  it('does not create a file that was deleted', () => {
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, 'a.yaml');
    rmSync(join(folder, 'a.yaml'));
    expect(opened.save(name, 'a: mine\n', digest)).toEqual({ state: 'changed', file: null });
    expect(readdirSync(folder)).toEqual(['sub']);
  });

  it.each(['new.yaml', '../outside.yaml', 'd/../../outside.yaml', '', '__proto__', 'constructor'])(
    'of %j, which was not opened, is refused',
    (name) => {
      const opened = openedAt(folder);
      opened.snapshot();
      expect(opened.save(name, 'x: 1\n', '')).toMatchObject({ state: 'refused' });
      expect(read('outside.yaml')).toBe('outside: 1\n');
    },
  );

  it('keeps the mode, the line ends and the byte order mark', () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, '\uFEFFa: 1\r\nb: 2\nc: 3\r\n');
    chmodSync(file, 0o640);
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, 'a.yaml');
    expect(opened.save(name, 'a: 1\nb: 2\nnew: 1\nc: 3\n', digest)).toMatchObject({ state: 'written' });
    expect(readFileSync(file, 'utf8')).toBe('\uFEFFa: 1\r\nb: 2\nnew: 1\r\nc: 3\r\n');
    expect(statSync(file).mode & 0o7777).toBe(0o640);
  });

  it('of a read-only file is refused', () => {
    chmodSync(join(folder, 'a.yaml'), 0o444);
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, 'a.yaml');
    expect(opened.save(name, 'a: 2\n', digest)).toMatchObject({
      state: 'refused',
      fault: expect.stringContaining('read-only'),
    });
    expect(read('d/a.yaml')).toBe('a: 1\n');
  });

  it('of half a surrogate pair is refused', () => {
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, 'a.yaml');
    expect(opened.save(name, 'a: \ud83d\n', digest)).toMatchObject({ state: 'refused' });
    expect(read('d/a.yaml')).toBe('a: 1\n');
  });

  /** Each puts a link in the way of d/sub/b.yaml. */
  const links: Record<string, () => void> = {
    'a link in place of the file': () => {
      rmSync(join(folder, 'sub/b.yaml'));
      symlinkSync('../../outside.yaml', join(folder, 'sub/b.yaml'));
    },
    'a link in place of its folder': () => {
      mkdirSync(join(work, 'elsewhere'));
      writeFileSync(join(work, 'elsewhere/b.yaml'), 'b: 1\n');
      rmSync(join(folder, 'sub'), { recursive: true });
      symlinkSync('../elsewhere', join(folder, 'sub'));
    },
    'a link in place of the opened folder': () => {
      mkdirSync(join(work, 'elsewhere/sub'), { recursive: true });
      writeFileSync(join(work, 'elsewhere/sub/b.yaml'), 'b: 1\n');
      renameSync(folder, join(work, 'moved'));
      symlinkSync('elsewhere', folder);
    },
    'a folder in place of the file': () => {
      rmSync(join(folder, 'sub/b.yaml'));
      mkdirSync(join(folder, 'sub/b.yaml'));
    },
  };
  it.each(Object.keys(links))('does not follow %s that was put there after the start', (which) => {
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, 'sub/b.yaml');
    links[which]?.();
    const before = filesBelow(work);
    expect(opened.save(name, 'b: HACKED\n', digest)).toMatchObject({ state: 'refused' });
    expect(filesBelow(work)).toEqual(before);
  });

  it.each(['a.yaml', 'sub'])('does not follow a link in the folder: %s', (target) => {
    rmSync(join(folder, target), { recursive: true });
    mkdirSync(join(work, 'elsewhere'));
    writeFileSync(join(work, 'elsewhere/b.yaml'), 'b: 1\n');
    symlinkSync(target === 'sub' ? '../elsewhere' : '../outside.yaml', join(folder, target));
    const opened = openedAt(folder);
    const { name, digest } = fileOf(opened, target === 'sub' ? 'sub/b.yaml' : target);
    const before = filesBelow(work);
    expect(opened.save(name, 'b: HACKED\n', digest)).toMatchObject({ state: 'refused' });
    expect(filesBelow(work)).toEqual(before);
  });

  it('of a file that the command names is written, also if its name is a link', () => {
    symlinkSync('../outside.yaml', join(folder, 'link.yaml'));
    const opened = openedAt(join(folder, 'link.yaml'));
    const { name, digest } = fileOf(opened, 'link.yaml');
    expect(opened.save(name, 'outside: 2\n', digest)).toMatchObject({ state: 'written' });
    expect(read('outside.yaml')).toBe('outside: 2\n');
  });
});

/** The texts of all regular files below a folder. */
function filesBelow(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );
}
