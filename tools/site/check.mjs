// Follows every link of the built site, and asks its search each question of the index.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTally } from '../tally.mjs';
import { searchOptions } from './search.mjs';

/** How many results a reader looks at. */
const FIRST = 5;
/** The least number of examples that open in the playground. */
const LEAST_EXAMPLES = 10;

/** The list of questions, whose links are the answers: two steps. */
const QUESTIONS = '/docs/#questions';

export async function checkSite(root) {
  const site = join(root, 'dist-site');
  const tally = createTally('site');
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && !name.startsWith('playground/') && name !== '404.html')
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(site, name), 'utf8')]);
  const texts = new Map(pages);
  let examples = 0;
  for (const [page, html] of pages) {
    const broken = [];
    for (const [, href] of html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g)) {
      if (/^(?:https?:|mailto:)/.test(href)) continue;
      if (href.includes('playground/index.html#s=')) examples += 1;
      if (!leadsSomewhere(href, page, site, texts)) broken.push(href);
    }
    tally.check(`links of ${page}`, broken.length === 0 ? undefined : `broken: ${broken.join(', ')}`);
  }
  const few = examples < LEAST_EXAMPLES ? `only ${examples} examples open in the playground` : undefined;
  tally.check('examples', few);
  const search = await searchOf(site, root);
  for (const [question, link] of questionsOf(root)) {
    const page = relative('/', join('/docs', link.split('#')[0]))
      .replace(/README\.md$/, '')
      .replace(/\.md$/, '');
    const found = search(question).slice(0, FIRST);
    const isAnswer = (id) => id === QUESTIONS || id.split('#')[0].replace(/^\/|\.html$/g, '') === page;
    const isThere = found.some(isAnswer);
    tally.check(`search: ${question}`, isThere ? undefined : `not among ${found.join(', ')}`);
  }
  tally.end();
}

function leadsSomewhere(href, page, site, texts) {
  const [path, anchor] = href.split('#');
  const target =
    path === '' ? page : relative('/', join(path.startsWith('/') ? '/' : `/${dirname(page)}`, decodeURI(path)));
  const file = path.endsWith('/') || target === '' ? join(target, 'index.html') : target;
  if (file.startsWith('playground/')) return existsSync(join(site, file));
  const html = texts.get(file);
  if (html === undefined) return existsSync(join(site, file));
  return anchor === undefined || html.includes(`id="${decodeURIComponent(anchor)}"`);
}

const questionsOf = (root) =>
  [...readFileSync(join(root, 'docs/README.md'), 'utf8').matchAll(/^\| ([^|]*\?) \| \[[^\]]*\]\(([^)]*)\)/gm)].map(
    ([, question, link]) => [question, link],
  );

/** Returns the search of the site, with the settings of VitePress. */
async function searchOf(site, root) {
  const chunks = join(site, 'assets/chunks');
  const name = readdirSync(chunks).find((one) => one.startsWith('@localSearchIndexroot'));
  const { default: text } = await import(pathToFileURL(join(chunks, name)).href);
  const require = createRequire(join(root, 'tools/site/package.json'));
  const MiniSearch = require('minisearch');
  const index = MiniSearch.loadJSON(text, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions,
  });
  return (question) => index.search(question).map(({ id }) => id);
}
