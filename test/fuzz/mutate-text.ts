import type { Corpus } from './corpus.ts';
import { celPieces, fragments } from './fragments.ts';
import type { Random } from './random.ts';

type Mutator = (text: string, random: Random, corpus: Corpus) => string;

/** Returns a piece of the text, usually a short one. */
function span(text: string, random: Random): [number, number] {
  const from = random.below(text.length + 1);
  return [from, Math.min(text.length, from + random.below(random.pick([2, 8, 64, 1024])))];
}

const replaceAt = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

/** Returns an insertion point: anywhere, at the start of a line, after its indentation, or where a value starts. */
function place(text: string, random: Random): number {
  const from = random.below(text.length + 1);
  const pattern = random.pick([undefined, /\n/g, /\n[ -]*/g, /: /g]);
  if (pattern === undefined) return from;
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function changeLines(change: (lines: string[], random: Random) => void): Mutator {
  return (text, random) => {
    const lines = text.split('\n');
    change(lines, random);
    return lines.join('\n');
  };
}

const mutators: readonly Mutator[] = [
  (text, random) => replaceAt(text, ...span(text, random), ''),
  (text, random) => {
    const [from, to] = span(text, random);
    return replaceAt(text, from, from, text.slice(from, to));
  },
  (text, random) => {
    const [[a, b], [c, d]] = [span(text, random), span(text, random)].sort(([x], [y]) => x - y) as [
      [number, number],
      [number, number],
    ];
    return b > c ? text : text.slice(0, a) + text.slice(c, d) + text.slice(b, c) + text.slice(a, b) + text.slice(d);
  },
  changeLines((lines, random) => lines.splice(random.below(lines.length), 1)),
  changeLines((lines, random) => {
    const line = random.below(lines.length);
    lines.splice(random.below(lines.length), 0, ...lines.slice(line, line + 1 + random.below(6)));
  }),
  changeLines((lines, random) => {
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  }),
  changeLines((lines, random) => {
    const line = random.below(lines.length);
    lines[line] = random.pick([' ', '  ', '\t', '- ']) + (lines[line] ?? '');
  }),
  changeLines((lines, random) => {
    const line = random.below(lines.length);
    lines[line] = (lines[line] ?? '').replace(/^ {1,2}/, '');
  }),
  insertFragment,
  insertFragment,
  insertFragment,
  replaceWord,
  replaceWord,
  replaceExpression,
  replaceExpression,
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random, { texts }) => {
    const other = random.pick(texts);
    const [from, to] = span(other, random);
    return replaceAt(text, ...span(text, random), other.slice(from, to));
  },
  (text) => text.replaceAll('\n', '\r\n'),
  (text, random) => random.pick(['\uFEFF', '# comment\n', '%TAG !e! tag:e,2000:\n---\n', '---\n', '{}\n---\n']) + text,
  (text) => `${text}\n---\n${text}`,
];

function insertFragment(text: string, random: Random): string {
  const at = place(text, random);
  return replaceAt(text, at, at, random.pick(fragments));
}

/** Replaces a word with another one or with a fragment. */
function replaceWord(text: string, random: Random): string {
  const words = [...text.matchAll(/[\w./-]+/g)];
  if (words.length === 0) return text;
  const word = random.pick(words);
  const by = random.chance(0.5) ? random.pick(words)[0] : random.pick(fragments);
  return replaceAt(text, word.index, word.index + word[0].length, by);
}

function replaceExpression(text: string, random: Random, { expressions }: Corpus): string {
  const starts = [...text.matchAll(/\$\{/g)];
  if (starts.length === 0) return insertFragment(text, random);
  const { index } = random.pick(starts);
  const end = text.indexOf('}', index) + 1 || text.length;
  if (random.chance(0.4)) return replaceAt(text, index, end, random.pick(expressions));
  const pieces = Array.from({ length: 1 + random.below(6) }, () => random.pick(celPieces)).join('');
  if (random.chance(0.4)) return replaceAt(text, index, end, `\${${pieces}}`);
  const inside = index + 2 + random.below(Math.max(1, end - index - 2));
  return replaceAt(text, inside, inside, pieces);
}

export function mutateText(text: string, random: Random, corpus: Corpus): string {
  let mutant = text;
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    mutant = random.pick(mutators)(mutant, random, corpus);
  }
  return mutant;
}
