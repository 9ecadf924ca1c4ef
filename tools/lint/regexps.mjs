#!/usr/bin/env node
// Reports regular expressions of src that may take more than linear time: part of `npm run lint`. ESLint's plugin finds a
// quantifier that is tried again at each character, as in / +$/, and quantifiers that exchange characters, as in /(a*)*$/.
// The second rule, below, finds what is tried again at each repetition of its beginning, as in /a.*b/ for many a without b,
// or at each character of it, as in / *x/y, which the plugin does not look at: a sticky pattern is tried at each position.
// What looks only at `lastPart`, `lastNames` or `firstPart` of a text may use them; LINEAR lists others, each with its reason.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { Linter } from 'eslint';
import regexp from 'eslint-plugin-regexp';

// The parser of the plugin, which depends on it.
const requireOfPlugin = createRequire(import.meta.resolve('eslint-plugin-regexp'));
const { RegExpParser } = requireOfPlugin('@eslint-community/regexpp');
const { isPotentiallyEmpty, toUnicodeSet } = requireOfPlugin('regexp-ast-analysis');

/** Regular expressions that a rule reports, and why their time is bounded. */
const LINEAR = {
  '/[|>][+-]?[1-9][+-]?[^\\n\\r]*\\r?\\n?$/': 'of one line, whose end always follows',
  '/^[ \\t]*\\{\\{.*\\}\\}[ \\t]*$/gm': 'it begins once in each line',
  '/^[ \\t]*#.*$/gm': 'it begins once in each line',
  '/(?:^|\\n---[^\\n]*\\n)(?:[ \\t]*(?:#[^\\n]*)?\\n)*%/': 'a document begins where the search for the one before ends',
  '/\\w\\?\\.[A-Za-z_][\\s\\S]*@/': 'of the last and the first part of an expression',
  '/"(?:[^"\\\\\\n]|\\\\.)*"?|`[^`]*`?|\\/\\*[\\s\\S]*?(?:\\*\\/|$)|(?<![\\w$.])inputs(?<dots>(?:\\.[A-Za-z_]\\w*)*)(?<quoted>(?:[ \\t]+"[^"\\\\\\n]+")*)/g':
    'what does not close takes the rest',
  '/values[^/]*\\.(ya?ml|json)$/i': 'of names of files',
  '/: .*(?:: | #)|[:-] +[@`%*&!{[]|\\$\\{/': 'the second beginning is an end',
  '/^metadata:(?:[ \\t]*#.*)?\\n( +)(?:(?! ).*\\n(?:\\1 .*\\n)*\\1)*?name: *["\']?([A-Za-z0-9.-]+)["\']?[ \\t]*(?:#.*)?$/m':
    'it begins in lines that are not indented, and goes on in indented ones',
  '/\\b0(?::0)+\\b/g': 'what it takes ends it',
  '/«(.*?)»/g': 'of snippets of our own',
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
  '/"(?:[^"\\\\\\n\\r]|\\\\[^\\n\\r])*"/y': 'a quote that does not close is not tried again',
  "/'(?:[^'\\\\\\n\\r]|\\\\[^\\n\\r])*'/y": 'a quote that does not close is not tried again',
  '/[^\\\\"\\n\\r]*(?:\\\\[^\\n\\r][^\\\\"\\n\\r]*)*"/y':
    'a literal that does not close ends the reading, or takes the rest of its line',
  "/[^\\\\'\\n\\r]*(?:\\\\[^\\n\\r][^\\\\'\\n\\r]*)*'/y":
    'a literal that does not close ends the reading, or takes the rest of its line',
  '/(?:[^\\\\]|\\\\[\\s\\S])*?"""/y': 'a literal that does not close ends the reading, or is not tried again',
  "/(?:[^\\\\]|\\\\[\\s\\S])*?'''/y": 'a literal that does not close ends the reading, or is not tried again',
  '/[^"\\n\\r]*"/y': 'a literal that does not close ends the reading, or takes the rest of its line',
  "/[^'\\n\\r]*'/y": 'a literal that does not close ends the reading, or takes the rest of its line',
  '/[\\s\\S]*?"""/y': 'a literal that does not close ends the reading, or is not tried again',
  "/[\\s\\S]*?'''/y": 'a literal that does not close ends the reading, or is not tried again',
  '/\\/\\*[\\s\\S]*?\\*\\//y': 'a comment that does not close ends the reading',
  '/"[^"\\\\\\n]*(?:\\\\[^\\n][^"\\\\\\n]*)*"/y': 'a literal that does not close ends the reading',
  "/'[^'\\\\\\n]*(?:\\\\[^\\n][^'\\\\\\n]*)*'/y": 'a literal that does not close ends the reading',
  '/[ \\t]*(?:#[^\\0\\r\\n]*)?\\r?\\n/y': 'the first line with content ends the reading',
  '/[ \\t]+#/y': 'it is tried once in each line',
  '/\\B(?=(\\d{3})+$)/g': 'of a number, which has at most 309 digits before its point',
};

/** After a regular expression: it looks only at a part of a text. */
const OF_PART = /^\.(?:exec|test)\((?:lastPart|lastNames|firstPart)\(/;

/** Collects the regular expressions of a file. */
const literals = [];
const COLLECT = {
  create: () => ({
    Literal(node) {
      if (node.regex !== undefined) literals.push({ literal: node.raw, line: node.loc.start.line, end: node.range[1] });
    },
  }),
};

const CONFIG = {
  plugins: { regexp, own: { rules: { collect: COLLECT } } },
  rules: {
    'regexp/no-super-linear-backtracking': 'error',
    'regexp/no-super-linear-move': 'error',
    'own/collect': 'error',
  },
};

const TRIED_AGAIN =
  'It is tried again at each repetition of its beginning: text that lacks its end takes quadratic time.';

const linter = new Linter();
const parser = new RegExpParser();

/** Returns the regular expressions of a TypeScript source that may take more than linear time; LINEAR has no say. */
export function findings(text) {
  const found = [];
  literals.length = 0;
  // TypeScript without its types; regular expressions stay as they are written.
  const { code } = transformSync(text, { loader: 'ts', target: 'esnext' });
  for (const { line, column, message, ruleId } of linter.verify(code, CONFIG, 'code.js')) {
    const at = ruleId === null ? undefined : regexpAt(code, line, column);
    if (at !== undefined && OF_PART.test(at.after)) continue;
    found.push({ literal: at?.literal, rule: ruleId ?? 'syntax', message });
  }
  for (const { literal, end } of literals) {
    if (!isTriedAgain(literal) || OF_PART.test(code.slice(end))) continue;
    found.push({ literal, rule: 'own/tried-again', message: TRIED_AGAIN });
  }
  return found;
}

function main() {
  // A copy of the sources is no repository.
  const files = readdirSync('src', { recursive: true }).map((name) => join('src', name));
  const unused = new Set(Object.keys(LINEAR));
  let failed = 0;
  for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
    const text = readFileSync(file, 'utf8');
    for (const { literal, message } of findings(text)) {
      unused.delete(literal);
      if (literal !== undefined && Object.hasOwn(LINEAR, literal)) continue;
      failed += 1;
      const at = literal === undefined ? '' : `:${text.slice(0, text.indexOf(literal)).split('\n').length}`;
      console.error(`${file}${at}: ${literal ?? ''}\n  ${message}`);
    }
  }
  for (const literal of unused)
    console.error(`tools/lint/regexps.mjs: ${literal} is not reported: remove it from the list`);
  if (failed + unused.size > 0) process.exitCode = 1;
}

/**
 * Reports whether a regular expression has an unlimited quantifier that takes what is before it, and after it something
 * that may be missing: each beginning is followed by a search to the end.
 */
function isTriedAgain(literal) {
  const { pattern, flags } = parser.parseLiteral(literal);
  return pattern.alternatives.some(({ elements }) => isAgainIn(elements, flags));
}

function isAgainIn(elements, flags) {
  const [first] = elements;
  if (first?.type === 'Assertion' && first.kind === 'start' && !flags.multiline) return false;
  return elements.some((element, index) => {
    if (element.type !== 'Quantifier' || element.max !== Number.POSITIVE_INFINITY) return false;
    const taken = charactersOf(element, flags);
    const before = elements.slice(0, index).filter(({ type }) => type !== 'Assertion');
    if (taken === undefined || (before.length === 0 && !flags.sticky)) return false;
    const takesBeginning = before.every((one) => {
      const own = charactersOf(one, flags);
      return own === undefined || isPotentiallyEmpty(one, flags) || !own.isDisjointWith(taken);
    });
    const mayFail = (one) => one.type === 'Assertion' || !isPotentiallyEmpty(one, flags);
    return takesBeginning && elements.slice(index + 1).some(mayFail);
  });
}

/** Returns the characters that an element may take; undefined if that is not known. */
function charactersOf(element, flags) {
  if (['Character', 'CharacterSet', 'CharacterClass'].includes(element.type)) return toUnicodeSet(element, flags);
  if (element.type === 'Quantifier') return charactersOf(element.element, flags);
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return undefined;
  const sets = element.alternatives.flatMap(({ elements }) => elements.map((one) => charactersOf(one, flags)));
  return sets.filter((one) => one !== undefined).reduce((all, one) => all?.union(one) ?? one, undefined);
}

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

if (
  process.argv[1] !== undefined &&
  readFileSync(process.argv[1], 'utf8') === readFileSync(fileURLToPath(import.meta.url), 'utf8')
)
  main();
