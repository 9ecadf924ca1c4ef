/** The string functions with positions, which count code points. */

import { pointCount, pointOf, slicePoints, unitOf } from '../../text/points.ts';
import { failure } from '../../value/values.ts';

/** Checks that an index is in 0..limit. */
function within(index: bigint, limit: number): number {
  if (index < 0n || index > BigInt(limit)) throw failure(`index out of range: ${index}`);
  return Number(index);
}

/** Returns the character at an index; '' at the index after the last. */
export function charAt(text: string, index: bigint): string {
  const at = within(index, pointCount(text));
  return slicePoints(text, at, Math.min(at + 1, pointCount(text)));
}

export function substring(text: string, start: bigint, end?: bigint): string {
  const length = pointCount(text);
  if (end === undefined) return slicePoints(text, within(start, length), length);
  if (start > end) throw failure(`invalid substring range. start: ${start}, end: ${end}`);
  return slicePoints(text, within(start, length), within(end, length));
}

/** Returns the offset of a search, at most the end, where the empty string matches. */
function searchOffset(text: string, offset: bigint): number {
  if (offset < 0n) throw failure(`index out of range: ${offset}`);
  const length = pointCount(text);
  return offset > BigInt(length) ? length : Number(offset);
}

export function indexOf(text: string, part: string, offset = 0n): bigint {
  const from = searchOffset(text, offset);
  if (part === '') return BigInt(from);
  const unit = text.indexOf(part, unitOf(text, from));
  return unit < 0 ? -1n : BigInt(pointOf(text, unit));
}

export function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const length = pointCount(text);
  if (offset === undefined) return part === '' ? BigInt(length) : lastUpTo(text, part, length);
  const from = searchOffset(text, offset);
  if (part === '') return BigInt(from);
  // An offset at or past the end finds nothing; only smaller ones start a search.
  return offset >= BigInt(length) ? -1n : lastUpTo(text, part, from);
}

function lastUpTo(text: string, part: string, from: number): bigint {
  const unit = text.lastIndexOf(part, unitOf(text, from));
  return unit < 0 ? -1n : BigInt(pointOf(text, unit));
}
