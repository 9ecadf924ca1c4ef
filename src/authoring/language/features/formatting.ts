import type { TextEdit } from 'vscode-languageserver';
import { formatText } from '../../format/index.ts';
import type { SourceFile } from '../workspace/file.ts';

/** Returns the edit that formats a file: everything between the first and the last difference. */
export function formattingOf(file: SourceFile): TextEdit[] {
  const before = file.text;
  const after = formatText(before).text;
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  // A position may not be between a carriage return and its line feed.
  if (before[start - 1] === '\r') start -= 1;
  if (same > 0 && before[before.length - same] === '\n' && before[before.length - same - 1] === '\r') same -= 1;
  const range = file.rangeOf(start, before.length - same);
  return [{ range, newText: after.slice(start, after.length - same) }];
}
