/** The characters before or after a position that a hint looks at. */
const HINTED = 100;

/** Returns the end of a text before a position: a search for a pattern in it takes no longer for a long text. */
export const lastPart = (text: string, end = text.length): string => text.slice(Math.max(0, end - HINTED), end);

/** The longest name that a hint repeats. */
const NAMED = 1000;

/**
 * Returns the same for a name that a message repeats: longer, and with an ellipsis for what is left out, so that no part
 * of a name is shown as the whole.
 */
export function lastNames(text: string, end = text.length): string {
  const start = Math.max(0, end - NAMED);
  const part = text.slice(start, end);
  return start > 0 && /^[\w$.-]/.test(part) ? `…${part}` : part;
}

/** Returns the beginning of a text from a position. */
export const firstPart = (text: string, start = 0): string => text.slice(start, start + HINTED);

/** Removes characters from the end of a text, in one pass: a pattern with `$` would begin at each of them. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Removes characters from both ends of a text. */
export function withoutEnds(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return withoutTrailing(text.slice(start), characters);
}

/** Writes a text on one line: line breaks with the blanks around them become one space. */
export function onOneLine(text: string): string {
  const [first = '', ...others] = text.split(/[\r\n]+/);
  const last = others.pop();
  if (last === undefined) return text;
  const middle = others.map((line) => line.trim()).filter((line) => line !== '');
  return [first.trimEnd(), ...middle, last.trimStart()].join(' ');
}
