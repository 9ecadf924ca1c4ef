const UNITS = new Map<string, bigint>([
  ['ns', 1n],
  ['us', 1000n],
  ['\xc2\xb5s', 1000n],
  ['\xce\xbcs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const PART = /([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/y;
const LARGEST = 2n ** 63n;

/** Parses a text like `1h15m30.5s` to nanoseconds, as Go's time.ParseDuration does; returns `undefined` for others. */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') return undefined;
  let total = 0n;
  let at = 0;
  while (at < rest.length) {
    PART.lastIndex = at;
    const [part = '', whole = '', fraction = '', unitName = ''] = PART.exec(rest) ?? [];
    const unit = UNITS.get(unitName);
    if (unit === undefined || whole + fraction === '') return undefined;
    total +=
      BigInt(whole || '0') * unit + (fraction === '' ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length));
    if (total > LARGEST) return undefined;
    at += part.length;
  }
  if (negative) return -total;
  return total === LARGEST ? undefined : total;
}
