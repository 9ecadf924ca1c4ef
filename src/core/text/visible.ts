/** Returns the escape of a character in JSON, YAML and Go: `\\u000a`. */
export const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes control characters and characters that change the order of text as in JSON, but not line breaks and tabs. */
export const visible = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
  text.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g, unicodeEscape);

/** Does the same for a part of a line, including line breaks. */
export const visibleOnOneLine = (text: string): string => visible(text).replaceAll('\n', '\\n');
