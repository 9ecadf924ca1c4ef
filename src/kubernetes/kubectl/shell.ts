import { visibleOnOneLine } from '../../core/text/visible.ts';

/** Returns one word of a POSIX shell. Text without special characters is unchanged, everything else is quoted. */
export const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) && !text.startsWith('-') ? text : singleQuoted(text);

/**
 * Returns a comment of one line. Special characters are quoted in it as well: an interactive zsh has no comments, and
 * reads the line as a command called `#`.
 */
export function shellComment(text: string): string {
  const line = visibleOnOneLine(text);
  return `# ${/^[\w .,:/-]+$/.test(line) ? line : singleQuoted(line)}`;
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
