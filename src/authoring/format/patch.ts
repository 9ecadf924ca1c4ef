import { structuredPatch } from 'diff';

/** A text with more changed lines is replaced as a whole. */
const MOST_EDITS = 2000;

/** Returns the difference of a file as a unified patch. */
export function patchText(file: string, before: string, after: string): string {
  const patch = structuredPatch(file, file, before, after, '', '', { context: 3, maxEditLength: MOST_EDITS });
  const hunks = patch?.hunks ?? [wholeHunk(before, after)];
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...changed,
  ]);
  return `--- ${file}\n+++ ${file}\n${lines.join('\n')}\n`;
}

function wholeHunk(before: string, after: string) {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, '').split('\n')) as [string[], string[]];
  const removed = [
    ...old.map((line) => `-${line}`),
    ...(before.endsWith('\n') ? [] : ['\\ No newline at end of file']),
  ];
  const lines = [...removed, ...now.map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
}
