/** Texts of durations and timestamps as Go writes them. */
import { plainFloat } from '../../../core/text/float.ts';

const NANOS = 1_000_000_000n;

/** Go's zero time, 0001-01-01T00:00:00Z. */
export const ZERO_TIME = -62_135_596_800_000_000_000n;

/** The seconds of a duration as CEL prints them: `5400s`, `1.5s`. */
export function secondsText(nanos: bigint): string {
  // Go adds whole seconds and the rest as doubles, so very long durations lose their last digits.
  return `${plainFloat(Number(nanos / NANOS) + Number(nanos % NANOS) / 1e9)}s`;
}

/** Formats RFC 3339 in UTC with the existing fraction (`nano`), or without any (`seconds`). */
export function timestampText(nanos: bigint, precision: 'nano' | 'seconds'): string {
  const rest = ((nanos % NANOS) + NANOS) % NANOS;
  const seconds = (nanos - rest) / NANOS;
  const date = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, '');
  const fraction = rest.toString().padStart(9, '0').replace(/0+$/, '');
  return `${date}${precision === 'seconds' || fraction === '' ? '' : `.${fraction}`}Z`;
}
