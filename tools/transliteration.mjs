#!/usr/bin/env node
// Writes data/transliteration.json: the ASCII texts of github.com/gosimple/unidecode for characters beyond ASCII, which
// the function `slugify` of ResourceSets uses. Needs Go, to download the module. The fields of the table:
//   digits   digits of the indexes
//   hangul   the letters of Hangul: their texts, put together, are those of its syllables from U+AC00 on
//   words    the texts, separated by a tab
//   indexes  from U+0080 on two digits for each character, the index of its text from 1; a blank and a digit skip that
//            many and one
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = 'github.com/gosimple/unidecode@v1.0.1';
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'data/transliteration.json');
/** Digits of indexes, without quotes and backslashes. */
const DIGITS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  .filter((char) => !'"\'`\\$'.includes(char))
  .join('');

const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', MODULE], { encoding: 'utf8' }));
const texts = new Map();
for (const line of readFileSync(join(Dir, 'table.txt'), 'utf8').split('\n')) {
  const [, code, literal] = /^0x([0-9a-f]+): "(.*)"$/.exec(line) ?? [];
  if (code !== undefined && Number.parseInt(code, 16) >= 0x80) texts.set(Number.parseInt(code, 16), unescaped(literal));
}

function unescaped(literal) {
  return JSON.parse(`"${literal.replace(/\\x(..)/g, '\\u00$1').replace(/\\'/g, "'")}"`);
}

// Syllables of Hangul are composed from their letters; only exceptions are listed.
const HANGUL = {
  first: 0xac00,
  initials: ' g gg n d dd r m b bb s ss  j jj c k t p h'.slice(1).split(' '),
  vowels: 'a ae ya yae eo e yeo ye o wa wae oe yo u weo we wi yu eu yi i'.split(' '),
  finals: ' g gg gs n nj nh d l lg lm lb ls lt lp lh m b bs s ss ng j c k t p h'.split(' '),
};
let exceptions = 0;
HANGUL.initials.forEach((initial, i) => {
  HANGUL.vowels.forEach((vowel, v) => {
    HANGUL.finals.forEach((final, f) => {
      const code = HANGUL.first + (i * HANGUL.vowels.length + v) * HANGUL.finals.length + f;
      if (texts.get(code) === initial + vowel + final) texts.delete(code);
      else exceptions++;
    });
  });
});

// Frequent texts get one digit less than the others; 0 means none.
const counts = new Map();
for (const text of texts.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
const words = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
const indexes = new Map(words.map((word, index) => [word, index + 1]));
const base = DIGITS.length;
let data = '';
const last = Math.max(...texts.keys());
let missing = 0;
const flush = () => {
  for (; missing > 0; missing -= Math.min(missing, base)) data += `  ${DIGITS[Math.min(missing, base) - 1]}`.slice(1);
};
for (let code = 0x80; code <= last; code++) {
  const index = indexes.get(texts.get(code));
  if (index === undefined) {
    missing++;
    continue;
  }
  flush();
  data += DIGITS[Math.floor(index / base)] + DIGITS[index % base];
}

/** Splits a text, so that a change of the table is a change of few lines. */
const lines = (text) => text.match(/.{1,116}/gs) ?? [];
const { initials, vowels, finals } = HANGUL;
const table = {
  source: MODULE,
  digits: DIGITS,
  hangul: { initials: initials.join(' '), vowels: vowels.join(' '), finals: finals.join(' ') },
  words: lines(words.join('\t')),
  indexes: lines(data),
};
writeFileSync(target, `${JSON.stringify(table, undefined, 1)}\n`);
console.log(
  `${exceptions} syllables of Hangul differ; ${words.length} texts for ${texts.size} characters: ${words.join(' ').length + data.length} characters`,
);
