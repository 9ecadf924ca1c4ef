#!/usr/bin/env node
// Builds dist-site/, the documentation as static pages with a search and the playground, from the same Markdown files
// that GitHub shows. `-- --check` then follows every link of the pages, and asks the search. VitePress has dependencies of
// its own in tools/site, which are installed when they are missing.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { buildPlayground } from './playground/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'tools/site');
const pagesFolder = join(folder, 'pages');
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });

if (!existsSync(join(folder, 'node_modules/vitepress'))) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]);
}
await writePages();
await buildPlayground(root, join(pagesFolder, 'public/playground'));
run(process.execPath, [join(folder, 'node_modules/vitepress/bin/vitepress.js'), 'build', folder]);
if (values.check === true) await (await import('./site/check.mjs')).checkSite(root);

async function writePages() {
  const { sitePath, sitePage, sidebarOf } = await modules();
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const paths = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'];
  const pages = new Set([...paths, ...docs.map((name) => `docs/${name}`)]);
  const isFolder = (path) => existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
  const known = { pages, isFolder };
  rmSync(pagesFolder, { recursive: true, force: true });
  for (const path of pages) {
    const text = await sitePage(path, readFileSync(join(root, path), 'utf8'), known);
    const file = join(pagesFolder, sitePath(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  cpSync(join(root, 'docs/images'), join(pagesFolder, 'docs/images'), { recursive: true });
  const sidebar = sidebarOf(readFileSync(join(root, 'docs/README.md'), 'utf8'), known);
  writeFileSync(join(pagesFolder, 'site.json'), JSON.stringify({ sidebar }));
}

/** Returns the modules of TypeScript that this uses. */
async function modules() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['tools/site/pages.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
