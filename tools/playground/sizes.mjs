import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The files of a built page, with what a first load takes: the page, what it names, and what those import at once. */
export function sizesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file))]));
  const first = new Set();
  const add = (file) => {
    if (first.has(file) || !texts.has(file)) return;
    first.add(file);
    for (const name of namedIn(file, texts.get(file).toString())) add(name);
  };
  add('index.html');
  // The worker renders with it at once.
  for (const file of files) if (/\/answers-[^/]*\.js$/.test(file)) add(file);
  return files.map((file) => ({
    file,
    bytes: texts.get(file).length,
    gzip: gzipSync(texts.get(file), { level: 9 }).length,
    first: first.has(file),
  }));
}

/** What a file loads by itself: not what it loads when somebody asks for it. */
function namedIn(file, text) {
  if (file.endsWith('.html')) return [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name);
  const folder = file.includes('/') ? file.replace(/[^/]+$/, '') : '';
  const imports = [
    ...text.matchAll(/(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w*{}\s,$]+from)?\s*["']\.\/([^"']+)["']/g),
  ];
  const workers = [...text.matchAll(/new URL\([^)]*?["'`]([\w./-]*worker[\w.-]*\.js)["'`]/g)];
  return [...imports, ...workers].map(([, name]) => (name.includes('/') ? name : folder + name));
}
