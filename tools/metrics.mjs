#!/usr/bin/env node
// Measures how plain the sources are, with the compiler API of TypeScript:
//
//   npm run metrics -- [--list METRIC] [--json] [FOLDER]
//
// Prints one figure for each metric of the folder (src), and with --list the places that a metric counts. A figure is a
// sign and not an aim: code that a reader follows with ease is better than a lower figure. `npm run lint` forbids what
// tools/lint/plain.mjs checks.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { METRICS, measure } from './lint/measures.mjs';
import { sourceFiles } from './lint/sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const folder = positionals[0] ?? 'src';

if (values.list !== undefined && !Object.hasOwn(METRICS, values.list)) {
  console.error(`no metric ${values.list}; there are: ${Object.keys(METRICS).join(', ')}`);
  process.exit(2);
}

const files = sourceFiles(folder).map((path) => ({ path: relative('.', path), text: readFileSync(path, 'utf8') }));
const { found, lines, codeLines, commentLines } = measure(files);

if (values.list !== undefined) {
  for (const { file, line, detail } of found[values.list]) console.log(`${file}:${line} ${detail}`);
} else {
  const figures = {
    lines,
    'code-lines': codeLines,
    'comment-ratio': Number((commentLines / codeLines).toFixed(3)),
    ...Object.fromEntries(Object.keys(METRICS).map((name) => [name, found[name].length])),
  };
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  else {
    for (const [name, figure] of Object.entries(figures))
      console.log(`${String(figure).padStart(7)}  ${name.padEnd(28)}${METRICS[name] ?? ''}`);
  }
}
