import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeEntries } from '../../src/diagnostics/codes.ts';
import { options } from '../../src/options/index.ts';
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

/** Options of other programs that the pages speak of. */
const FOREIGN = new Set(
  `--allow-exec --api-versions --applyset --build-arg --bytecode-order --bytecode --compile --compile-jit-policy
  --disallow-code-generation-from-strings --enable-alpha-plugins --enable-exec --enable-source-maps --force-conflicts
  --global --help --ignore-not-found --interrupt-budget --kube-version --merge --min-semi-space-size --minify
  --plugin-tar-exclude --prune --quiet --raw --replicas --repo --results-dir --save-dev --server-side --set --smol --tag
  --truncate-output --type --upload-pack --version --experimental-permission`.split(/\s+/),
);
/** Options of our own programs under tools and bench. */
const OF_TOOLS = new Set(
  `--engines --expressions --homes --only --packages --runs --runtime --seed --short --shrink --sources --target --write
  --no-types`.split(/\s+/),
);
/** Files that a page has its readers make. */
const OF_READERS = new Set(['tools/render-rgd.tgz']);
const ours = new Set(Object.values(options).map(({ flag }): string => flag));

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('links to pages, files and headings that are there', () => {
    const broken = linksOf(text).filter((link) => {
      if (/^\w+:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return !isThere(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names files that are there', () => {
    expect(filesOf(text).filter((path) => !isThere(path) && !OF_READERS.has(path))).toEqual([]);
  });

  it('names options that there are', () => {
    const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*[a-z]/g)].map(([flag]) => flag);
    expect(named.filter((flag) => !ours.has(flag) && !FOREIGN.has(flag) && !OF_TOOLS.has(flag))).toEqual([]);
  });

  it('shows codes that there are', () => {
    const shown = [...text.matchAll(/\b(?:error|warning|info)\[([a-z-]+)\]/g)].map(([, code]) => code as string);
    expect(shown.filter((code) => !Object.hasOwn(codeEntries(), code))).toEqual([]);
  });
});

it('SECURITY.md names what checks it', () => expect(filesOf(read('SECURITY.md')).length).toBeGreaterThan(30));

describe('a figure', () => {
  it.each(figures)('of $page: $says', ({ page, says, source, name, times = 1 }) => {
    const declared = new RegExp(`\\b${name}\\b(?: =|:) ([\\d_]+)n?`).exec(read(source))?.[1];
    expect(declared, `${source} has no ${name}`).toBeDefined();
    const figure = (Number(declared?.replaceAll('_', '')) * times).toLocaleString('en-US');
    expect(read(page).replace(/\s+/g, ' ')).toContain(says.replace('{}', figure));
  });
});
