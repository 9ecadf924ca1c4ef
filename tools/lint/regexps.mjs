#!/usr/bin/env node
// Reports regular expressions of src that may take more than linear time: part of `npm run lint`. ESLint's plugin finds a
// quantifier that is tried again at each character, as in / +$/, and quantifiers that exchange characters, as in /(a*)*$/.
// What looks only at `lastPart`, `lastNames` or `firstPart` of a text may use them; LINEAR lists others, each with its reason.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { Linter } from 'eslint';
import regexp from 'eslint-plugin-regexp';

/** Regular expressions that the plugin reports, and why their time is bounded. */
const LINEAR = {
  '/«(.*?)»/g': 'of snippets of our own',
  '/^convert (?:the \\w+ to join|one of them).*?(\\w+)\\(\\.\\.\\.\\)/':
    'of hints, which have at most 4,000 characters',
  '/\\((.*)\\)/': 'of signatures of our own',
  '/^(.*?)(?::([^:/@]+))?(?:@(.+))?$/s': 'the first @ that a character follows ends the search',
  '/\\[\\^?(?:\\[:\\w+:\\]|\\\\.|[^\\\\])(?:\\[:\\w+:\\]|\\\\.|[^\\]\\\\])*\\]|\\((?:\\?(?:[imsU-]*[:)]|P?<\\w+>))?|(?:[*+?]|\\{\\d+(?:,\\d*)?\\})\\??|\\\\?./gsu':
    'of valid patterns, in which each bracket is closed',
  '/(?<![ .])[ .]*(:.*)?$/su': 'a colon is followed by anything',
  '/^[ \\0]*([0-7]*)[ \\0]*$/': 'of fields of a tar header, which have at most 12 bytes',
  '/[^\\n]*(?:\\n|$)/g': 'a line always ends',
  '/([^\\r\\n]*)(?:\\r\\n?|\\n|$)/g': 'a line always ends',
  '/^(?:map|dict|object|record)\\s*[(<{]\\s*\\w+\\s*,\\s*(.+)[)>}]$/i': 'of the first part of a type',
  '/^([=>]*)(\\S+) (\\S+)(?: (\\S+))?$/': 'of a table of our own',
  '/\\?(?!.*:)[\\s\\S]*@\\s*$/': 'of the last and the first part of an expression',
  '/[A-Za-z_]\\w*(?=\\s*$)/': 'of the last part of an expression',
  '/\\B(?=(\\d{3})+$)/g': 'of a number, which has at most 309 digits before its point',
};

const CONFIG = {
  plugins: { regexp },
  rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' },
};
/** After a regular expression: it looks only at a part of a text. */
const OF_PART = /^\.(?:exec|test)\((?:lastPart|lastNames|firstPart)\(/;

const linter = new Linter();
// A copy of the sources is no repository.
const files = readdirSync('src', { recursive: true }).map((name) => join('src', name));
const unused = new Set(Object.keys(LINEAR));
let failed = 0;
for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
  const text = readFileSync(file, 'utf8');
  // TypeScript without its types; regular expressions stay as they are written.
  const { code } = transformSync(text, { loader: 'ts', target: 'esnext' });
  for (const { line, column, message, ruleId } of linter.verify(code, CONFIG, 'code.js')) {
    const found = regexpAt(code, line, column);
    if (ruleId !== null && found !== undefined) {
      unused.delete(found.literal);
      if (Object.hasOwn(LINEAR, found.literal) || OF_PART.test(found.after)) continue;
    }
    failed += 1;
    const at = found === undefined ? '' : `:${text.slice(0, text.indexOf(found.literal)).split('\n').length}`;
    console.error(`${file}${at}: ${found?.literal ?? ''}\n  ${message}`);
  }
}
for (const literal of unused)
  console.error(`tools/lint/regexps.mjs: ${literal} is not reported: remove it from the list`);
if (failed + unused.size > 0) process.exitCode = 1;

/** Returns the literal that contains a position, with the code after it. */
function regexpAt(code, line, column) {
  const lines = code.split('\n');
  const text = lines[line - 1] ?? '';
  const literal = /\/(?![*/])(?:\[(?:\\.|[^\]\\])*\]|\\.|[^/\\[])+\/[a-z]*/g;
  for (const match of text.matchAll(literal)) {
    const end = match.index + match[0].length;
    if (match.index <= column - 1 && column - 1 < end) return { literal: match[0], after: text.slice(end) };
  }
  return undefined;
}
