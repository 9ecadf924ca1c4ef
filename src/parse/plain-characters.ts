/** The characters of plainly written documents, by code. */
export const [BREAK, BLANK, DOUBLE, HASH, SINGLE, DASH, COLON, COMMA, BRACKET, BRACE, BAR, END_BRACKET, END_BRACE] = [
  ...'\n "#\'-:,[{|]}',
].map((char) => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** What a plain scalar may begin with; a dash may too where no blank follows. */
export const isStart = new Uint8Array(128).fill(1, 0x21, 0x7f);
for (const char of '-?:,[]{}#&*!|>\'"%@`') isStart[char.charCodeAt(0)] = 0;
/** What a key without quotes is made of. */
export const isKey = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$~+()')
  isKey[char.charCodeAt(0)] = 1;

/** Keys of more characters, and nodes deeper than this, are left to the parser, which has limits there. */
export const LONGEST_KEY = 200;
export const DEEPEST = 100;

/** Thrown for what is left to the parser. */
export const NOT_PLAIN = new Error('not plain');

const QUOTED = /"((?:[^"\\\n]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y;
const SINGLE_QUOTED = /'((?:[^'\n]|'')*)'/y;
const SURROGATE = /\p{Surrogate}/u;

/** A text in quotes on one line, and where it ends. */
export function quotedAt(text: string, at: number): { value: string; end: number } {
  const isDouble = text.charCodeAt(at) === DOUBLE;
  const pattern = isDouble ? QUOTED : SINGLE_QUOTED;
  pattern.lastIndex = at;
  const inner = pattern.exec(text)?.[1];
  if (inner === undefined) throw NOT_PLAIN;
  const end = pattern.lastIndex;
  if (!isDouble) return { value: inner.includes("'") ? inner.replaceAll("''", "'") : inner, end };
  if (!inner.includes('\\')) return { value: inner, end };
  const value = JSON.parse(`"${inner}"`) as string;
  // Halves of a pair are no text.
  if (SURROGATE.test(value)) throw NOT_PLAIN;
  return { value, end };
}
