/** Returns the edit that makes one text the other, from the first to the last difference: offsets in UTF-16 units. */
export function changedRange(
  before: string,
  after: string,
): { start: number; end: number; insert: string } | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { start, end: before.length - same, insert: after.slice(start, after.length - same) };
}
