import { visibleOnOneLine } from '../../core/text/visible.ts';

/** One word of a POSIX shell. Text that no shell gives a meaning to stays as it is, everything else is quoted. */
export const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) && !text.startsWith('-') ? text : singleQuoted(text);

/**
 * A comment of one line. What could mean something is quoted in it as well: an interactive zsh knows no comments, and
 * takes the line for a command called `#`.
 */
export function shellComment(text: string): string {
  const line = visibleOnOneLine(text);
  return `# ${/^[\w .,:/-]+$/.test(line) ? line : singleQuoted(line)}`;
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
