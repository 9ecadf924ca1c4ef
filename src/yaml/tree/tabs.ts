/** The start of a line before a flow collection: list markers, perhaps a key. */
const HEAD = /^ *(?:[-?] +)*(?:(?:[\w./-]+|"[^"\\\t]*"|'[^'\t]*'):[ \t]+)?(?=[[{])/;
/** Spaces around separators of a flow collection, or at its end so far. */
const SEPARATING = /(?<=[[{,:])[ \t]+|[ \t]+(?=[\]},:]|$)/g;

/**
 * Replaces tabs that only separate at the start of a line with spaces: the parser treats such a tab as indentation if a
 * flow collection is on the line, go-yaml does not. Ambiguous lines do not change.
 */
export function withSeparatingSpaces(line: string): string {
  const head = HEAD.exec(line)?.[0];
  if (head === undefined) return line;
  const flow = line.slice(head.length);
  return blanks(head) + (/["']/.test(flow) ? flow : flow.replace(SEPARATING, blanks));
}

const blanks = (text: string): string => text.replaceAll('\t', ' ');
