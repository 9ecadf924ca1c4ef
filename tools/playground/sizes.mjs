import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Returns the files of a built page, with the size of a first load: the page, its references, and their static imports.
 */
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
  // The worker needs it for the first rendering.
  for (const file of files) if (/\/answers-[^/]*\.js$/.test(file)) add(file);
  return files.map((file) => ({
    file,
    bytes: texts.get(file).length,
    gzip: gzipSync(texts.get(file), { level: 9 }).length,
    first: first.has(file),
  }));
}

/** Returns what a file loads statically, without dynamic imports. */
function namedIn(file, text) {
  if (file.endsWith('.html')) return [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name);
  const folder = file.includes('/') ? file.replace(/[^/]+$/, '') : '';
  const imports = [
    ...text.matchAll(/(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w*{}\s,$]+from)?\s*["']\.\/([^"']+)["']/g),
  ];
  const workers = [...text.matchAll(/new URL\([^)]*?["'`]([\w./-]*worker[\w.-]*\.js)["'`]/g)];
  return [...imports, ...workers].map(([, name]) => (name.includes('/') ? name : folder + name));
}
