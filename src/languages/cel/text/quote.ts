/** The characters that Go and CEL write as an escape of one letter. */
export const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

const isPrintable = (char: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);

/** Formats a string as Go's `%q`, for error messages. */
export function goQuote(text: string): string {
  let quoted = '';
  for (const char of text) quoted += NAMED_ESCAPES.get(char) ?? (isPrintable(char) ? char : escaped(char));
  return `"${quoted}"`;
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x80) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
