import data from '../../../data/transliteration.json';

const FIRST = 0x80;
const HANGUL_FIRST = 0xac00;

let table: ReadonlyMap<number, string> | undefined;

/**
 * Replaces characters beyond ASCII by similar ASCII; others are removed. The format of the table is described
 * in tools/transliteration.mjs.
 */
export function transliterate(text: string): string {
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code < FIRST) out += char;
    else out += syllable(code - HANGUL_FIRST) ?? textOf(code);
  }
  return out;
}

function textOf(code: number): string {
  table ??= readTable();
  return table.get(code) ?? '';
}

function readTable(): Map<number, string> {
  const { digits } = data;
  const words = data.words.join('').split('\t');
  const indexes = data.indexes.join('');
  const read = new Map<number, string>();
  const digit = (at: number): number => digits.indexOf(indexes.charAt(at));
  let code = FIRST;
  for (let at = 0; at < indexes.length; at += 2) {
    if (indexes[at] === ' ') code += digit(at + 1) + 1;
    else read.set(code++, words[digit(at) * digits.length + digit(at + 1) - 1] ?? '');
  }
  return read;
}

const lettersOf = (texts: string): string[] => texts.split(' ');

/** Returns the text of a Hangul syllable, `undefined` for other characters. */
function syllable(index: number): string | undefined {
  const [initials, vowels, finals] = [data.hangul.initials, data.hangul.vowels, data.hangul.finals].map(lettersOf) as [
    string[],
    string[],
    string[],
  ];
  const perInitial = vowels.length * finals.length;
  if (index < 0 || index >= initials.length * perInitial) return undefined;
  const initial = initials[Math.floor(index / perInitial)];
  const vowel = vowels[Math.floor((index % perInitial) / finals.length)];
  return `${initial}${vowel}${finals[index % finals.length]}`;
}
