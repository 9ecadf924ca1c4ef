#!/usr/bin/env node
// Checks rules of plain code that no other linter has, for `npm run lint`. A comment `plain: REASON` on the line above
// exempts one place.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measure } from './measures.mjs';
import { sourceFiles } from './sources.mjs';

const RULES = {
  'untyped-exports': 'State what an exported function returns.',
  'return-type-of-exported': 'Declare a type with a name and a docstring: readers see an exported signature.',
  'packed-spreads': 'Write the entries themselves, one a line.',
  'split-lists': 'Write a list of texts.',
};

/** Returns a line for each place of the files that breaks a rule. */
export function faultsIn(files) {
  const linesOf = new Map(files.map(({ path, text }) => [path, text.split('\n')]));
  const { found } = measure(files);
  return Object.entries(RULES).flatMap(([metric, rule]) =>
    found[metric]
      .filter(({ file, line }) => !/\bplain: \S/.test(linesOf.get(file)[line - 2] ?? ''))
      .map(({ file, line, detail }) => `${file}:${line} ${rule} ${detail}`),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsIn(sourceFiles('src').map((path) => ({ path, text: readFileSync(path, 'utf8') })));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
