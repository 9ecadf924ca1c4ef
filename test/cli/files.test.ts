import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFiles } from '../../src/cli/files.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
}

describe('a file name that is not UTF-8', () => {
  const bytes = (name: string): Buffer => Buffer.concat([Buffer.from(join(folder, name)), Buffer.from([0xe9])]);
  const message = (path: string): string => `cannot read ${join(folder, path)}: a name in its path is not UTF-8`;

  it('is reported for a file in a folder, and for the file itself', () => {
    writeFileSync(Buffer.concat([bytes('caf'), Buffer.from('.yaml')]), 'a: 1');
    const reports = new Collector();
    readFiles([folder, join(folder, 'caf\uFFFD.yaml')], { exclude: [], stdin: new Uint8Array() }, reports);
    expect(reports.all.map((report) => report.message)).toEqual([message('caf\uFFFD.yaml'), message('caf\uFFFD.yaml')]);
    expect(reports.all[0]?.hint).toContain('rename');
    expect(read(['.'], ['caf*']).faults).toEqual([]);
  });

  it('is reported for a folder, and for the target of a link', () => {
    const inner = bytes('caf');
    mkdirSync(inner);
    writeFileSync(Buffer.concat([inner, Buffer.from('/a.yaml')]), 'a: 1');
    expect(read(['.']).faults).toEqual([expect.stringMatching(/caf\uFFFD: a name in its path is not UTF-8$/)]);
    symlinkSync(inner, join(folder, 'link'));
    expect(read(['link']).faults).toEqual([expect.stringMatching(/link: a name in its path is not UTF-8$/)]);
  });
});

function read(paths: string[], exclude: string[] = []): { names: string[]; faults: string[] } {
  const reports = new Collector();
  const stdin = new TextEncoder().encode('from stdin');
  const files = readFiles(
    paths.map((path) => (path === '-' ? path : join(folder, path))),
    { exclude, stdin },
    reports,
  );
  return {
    names: files.map(({ file }) => (file === '-' ? '-' : relative(folder, file))),
    faults: reports.all.map(({ message }) => message.replaceAll(folder, '')),
  };
}

describe('the input files', () => {
  it('are the YAML and JSON files below a folder, in byte order of paths', () => {
    write('b.yaml', 'a/z.yml', 'a.json', 'a-b.yaml', 'B.yaml', 'notes.md', 'a/deep/er.yaml', 'ä.yaml');
    const names = ['B.yaml', 'a-b.yaml', 'a.json', 'a/deep/er.yaml', 'a/z.yml', 'b.yaml', 'ä.yaml'];
    expect(read(['.'])).toEqual({ names, faults: [] });
  });

  it('exclude dot entries and node_modules', () => {
    write('a.yaml', '.b.yaml', '.git/c.yaml', 'node_modules/d/e.yaml');
    expect(read(['.']).names).toEqual(['a.yaml']);
  });

  it('do not have names in upper case, and a warning names those once', () => {
    write('a.yaml', 'd/b.YAML', 'C.Yml', 'd.json.txt', 'e.JSON/f.yaml', '.g.YAML', 'h.YAML');
    expect(read(['.', 'C.Yml'], ['h.*'])).toEqual({
      names: ['a.yaml', 'e.JSON/f.yaml', 'C.Yml'],
      faults: ['not read: /C.Yml, /d/b.YAML'],
    });
  });

  it('include a named file with any extension, in the order of the arguments', () => {
    write('.hidden', 'z.yaml', 'a.txt');
    expect(read(['z.yaml', '.hidden', 'a.txt', '-']).names).toEqual(['z.yaml', '.hidden', 'a.txt', '-']);
  });

  it('are read once each', () => {
    write('a.yaml', 'd/b.yaml');
    symlinkSync(join(folder, 'a.yaml'), join(folder, 'd/link.yaml'));
    expect(read(['a.yaml', '.', 'a.yaml', '-', '-']).names).toEqual(['a.yaml', 'd/b.yaml', '-']);
  });

  it('include folders behind links, even in a cycle of links', () => {
    write('real/a.yaml');
    mkdirSync(join(folder, 'in'));
    symlinkSync(join(folder, 'real'), join(folder, 'in/linked'));
    symlinkSync(join(folder, 'in'), join(folder, 'in/self'));
    expect(read(['in'])).toEqual({ names: ['in/linked/a.yaml'], faults: [] });
  });

  it('exclude what --exclude matches', () => {
    write('a.yaml', 'bad.yaml', 'charts/x.yaml', 'd/bad.yaml', 'd/e/f.yaml');
    expect(read(['.'], ['bad.yaml', 'charts', 'd/e/*']).names).toEqual(['a.yaml']);
    expect(read(['a.yaml', 'bad.yaml'], ['bad.yaml']).names).toEqual(['a.yaml']);
  });

  it('are read on after one that cannot be read, which is reported', () => {
    write('a.yaml');
    writeFileSync(join(folder, 'latin1.yaml'), Uint8Array.of(0x61, 0xe4));
    symlinkSync(join(folder, 'nowhere.yaml'), join(folder, 'dangling.yaml'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'ignored'));
    expect(read(['missing', '.'])).toEqual({
      names: ['a.yaml'],
      faults: [
        'cannot read /missing: no such file or directory',
        'cannot read /dangling.yaml: no such file or directory',
        'cannot read /latin1.yaml: it is not UTF-8 text',
      ],
    });
  });
});

it('globs that cost more than their paths allow are reported', () => {
  const names = Array.from({ length: 12 }, (_, index) => `${'a'.repeat(235)}b${index}.yaml`);
  write(...names);
  const reports = new Collector();
  const exclude = Array.from({ length: 200 }, () => `${'*a'.repeat(400)}*.yaml`);
  readFiles([folder], { exclude, stdin: new Uint8Array() }, reports);
  expect(reports.all.map(({ code, severity = 'error' }) => [code, severity])).toEqual([['budget-exceeded', 'error']]);
});
