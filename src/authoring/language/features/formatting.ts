import type { TextEdit } from 'vscode-languageserver';
import { changedRange } from '../../../core/text/changed-range.ts';
import { formatText } from '../../format/index.ts';
import type { SourceFile } from '../workspace/file.ts';

/** Returns the edit that formats a file: everything between the first and the last difference. */
export function formattingOf(file: SourceFile): TextEdit[] {
  const before = file.text;
  const after = formatText(before).text;
  const changed = changedRange(before, after);
  if (changed === undefined) return [];
  let { start, end } = changed;
  // A position may not be between a carriage return and its line feed.
  if (before[start - 1] === '\r') start -= 1;
  if (before[end] === '\n' && before[end - 1] === '\r') end += 1;
  const newText = after.slice(start, after.length - (before.length - end));
  return [{ range: file.rangeOf(start, end), newText }];
}
