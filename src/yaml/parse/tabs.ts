/** The start of a line before a flow collection: list markers, perhaps a key. */
const HEAD = /^ *(?:[-?] +)*(?:(?:[\w./-]+|"[^"\\\t]*"|'[^'\t]*'):[ \t]+)?(?=[[{])/;
/** Blanks beside what separates the parts of a flow collection, or at its end so far. */
const SEPARATING = /(?<=[[{,:])[ \t]+|[ \t]+(?=[\]},:]|$)/g;

/**
 * The start of a line with spaces for the tabs that only separate: the parser takes such a tab for indentation when a
 * flow collection is on the line, go-yaml does not. Lines that do not show which tabs those are stay as they are.
 */
export function withSeparatingSpaces(line: string): string {
  const head = HEAD.exec(line)?.[0];
  if (head === undefined) return line;
  const flow = line.slice(head.length);
  return blanks(head) + (/["']/.test(flow) ? flow : flow.replace(SEPARATING, blanks));
}

const blanks = (text: string): string => text.replaceAll('\t', ' ');
