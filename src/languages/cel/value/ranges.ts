/** Numbers, durations and timestamps within the range of CEL, as in cel-go (common/types/overflow.go). */
import { isInt64, MAX_UINT64 } from '../../../core/text/go-numbers.ts';
import { Duration, fixedFailure, Timestamp, Uint } from './values.ts';

export function int(value: bigint): bigint {
  if (!isInt64(value)) throw fixedFailure('integer overflow');
  return value;
}

export function uint(value: bigint): Uint {
  if (value < 0n || value > MAX_UINT64) throw fixedFailure('unsigned integer overflow');
  return new Uint(value);
}

export function duration(nanos: bigint): Duration {
  if (!isInt64(nanos)) throw fixedFailure('duration overflow');
  return new Duration(nanos);
}

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z, the range of google.protobuf.Timestamp. */
const MIN_TIME = -62_135_596_800_000_000_000n;
const MAX_TIME = 253_402_300_799_999_999_999n;

export function timestamp(nanos: bigint, zone = 0): Timestamp {
  if (nanos < MIN_TIME || nanos > MAX_TIME) throw fixedFailure('timestamp overflow');
  return new Timestamp(nanos, zone);
}
