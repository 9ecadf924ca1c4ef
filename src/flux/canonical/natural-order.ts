const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/**
 * Compares keys as go-yaml sorts them (https://github.com/go-yaml/yaml/blob/v2/sorter.go): `a2` before `a10`, letters
 * after everything else. The order is not transitive for every set of keys; a stable sort decides then.
 */
export function compareNaturally(a: string, b: string): number {
  return isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0;
}

function isBefore(a: string, b: string): boolean {
  const [left, right] = [[...a], [...b]];
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const [l, r] = [left[at] as string, right[at] as string];
    if (l === r) continue;
    const letters = [LETTER.test(l), LETTER.test(r)];
    if (letters[0] && letters[1]) return codeOf(l) < codeOf(r);
    if (letters[0] || letters[1]) return letters[1] === true;
    return isNumberBefore(left, right, at);
  }
  return left.length < right.length;
}

/** Compares the digits at a position as numbers. */
function isNumberBefore(left: readonly string[], right: readonly string[], at: number): boolean {
  const start = left[at] === '0' || right[at] === '0' ? leadingNumber(left, at) : 0n;
  const a = numberAt(left, at, start);
  const b = numberAt(right, at, start);
  if (a.value !== b.value) return a.value < b.value;
  if (a.end !== b.end) return a.end < b.end;
  return codeOf(left[at] as string) < codeOf(right[at] as string);
}

/** Zeros count as digits if other digits precede them. */
function leadingNumber(chars: readonly string[], at: number): bigint {
  for (let i = at - 1; i >= 0 && DIGIT.test(chars[i] as string); i--) if (chars[i] !== '0') return 1n;
  return 0n;
}

function numberAt(chars: readonly string[], at: number, start: bigint): { value: bigint; end: number } {
  let value = start;
  let end = at;
  for (; end < chars.length && DIGIT.test(chars[end] as string); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(chars[end] as string) - 48));
  }
  return { value, end };
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0;
