import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as commands from '../../src/cli/commands.ts';
import { codes } from '../../src/core/diagnostics/diagnostic.ts';
import { flagOf, sharedOptions } from '../../src/render/options/index.ts';
import { figures } from './figures.ts';
import { anchorsOf, filesOf, linksOf } from './links.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const isThere = (path: string): boolean => existsSync(join(root, path));

const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...docs.map((name) => `docs/${name}`),
];

/** Files that the readers of a page create. */
const OF_READERS = new Set(['tools/render-rgd.js', 'tools/render-rgd.tgz']);
const ours = new Set(
  [sharedOptions, ...Object.values(commands).map(({ own }) => own)].flatMap((options) =>
    Object.keys(options).map(flagOf),
  ),
);

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('links to existing pages, files and headings', () => {
    const broken = linksOf(text).filter((link) => {
      if (/^\w+:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return !isThere(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names existing files', () => {
    expect(filesOf(text).filter((path) => !isThere(path) && !OF_READERS.has(path))).toEqual([]);
  });

  it('names existing options', () => {
    const commands = text.match(/\brender-rgd (?!-- )[a-z][^`|\n>]*/g) ?? [];
    const named = commands.flatMap((line) => line.match(/(?<![\w-])--[a-z][a-z-]*[a-z]/g) ?? []);
    expect(named.filter((flag) => !ours.has(flag) && flag !== '--help')).toEqual([]);
  });

  it('shows existing codes', () => {
    const shown = [...text.matchAll(/\b(?:error|warning|info)\[([a-z-]+)\]/g)].map(([, code]) => code as string);
    // `diff` prints the kind of a change instead of a code.
    const known = [...Object.keys(codes), 'data-loss', 'recreate'];
    expect(shown.filter((code) => !known.includes(code))).toEqual([]);
  });
});

it('SECURITY.md names existing tests', () => expect(filesOf(read('SECURITY.md')).length).toBeGreaterThan(30));

describe('a figure', () => {
  it.each(figures)('of $page: $says', ({ page, says, source, name, times = 1 }) => {
    const declared = new RegExp(`\\b${name}\\b(?: =|:) ([\\d_]+)n?`).exec(read(source))?.[1];
    expect(declared, `${source} has no ${name}`).toBeDefined();
    const figure = (Number(declared?.replaceAll('_', '')) * times).toLocaleString('en-US');
    expect(read(page).replace(/\s+/g, ' ')).toContain(says.replace('{}', figure));
  });
});
