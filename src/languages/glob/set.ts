/** What is known of the sets of one pattern. */
export interface Sets {
  /** The last `]`: no set is closed after it, so that searches end early. */
  lastClosing: number;
}

/**
 * Returns the set that begins at a `[`, as RE2, and its end; `undefined` if it is not closed. A set cannot contain a
 * slash.
 */
export function setAt(
  pattern: readonly string[],
  start: number,
  sets: Sets,
): { regex: string; end: number } | undefined {
  const negated = pattern[start + 1] === '!';
  const first = start + (negated ? 2 : 1);
  // A set has a member, so a bracket at its start is one.
  if (sets.lastClosing <= first) return undefined;
  const end = pattern.indexOf(']', first + 1);
  const ranges = rangesOf(pattern.slice(first, end));
  if (negated) return { regex: `[^/${ranges.map(written).join('')}]`, end: end + 1 };
  const inside = ranges.flatMap(withoutSlash);
  return { regex: inside.length === 0 ? NOTHING : `[${inside.map(written).join('')}]`, end: end + 1 };
}

type Range = readonly [from: number, to: number];

const NOTHING = '[^\\x{0}-\\x{10FFFF}]';
const SLASH = 0x2f;

/** `a-z` is a range, and one with reversed ends is empty, as in a shell. */
function rangesOf(members: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = codeOf(members[at]);
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    const to = isRange ? codeOf(members[at + 2]) : from;
    if (isRange) at += 2;
    if (from <= to) ranges.push([from, to]);
  }
  return ranges;
}

const codeOf = (char = ''): number => char.codePointAt(0) ?? 0;

function withoutSlash([from, to]: Range): Range[] {
  if (from > SLASH || to < SLASH) return [[from, to]];
  const parts: Range[] = [
    [from, SLASH - 1],
    [SLASH + 1, to],
  ];
  return parts.filter(([least, most]) => least <= most);
}

const written = ([from, to]: Range): string => `\\x{${from.toString(16)}}-\\x{${to.toString(16)}}`;
