/** What replaces a part of a text: offsets in UTF-16 units. */
export interface ChangedRange {
  start: number;
  end: number;
  insert: string;
}

/** Returns the edit that makes one text the other: everything between the first and the last difference. */
export function changedRange(before: string, after: string): ChangedRange | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { start, end: before.length - same, insert: after.slice(start, after.length - same) };
}
