/** The string functions that work with positions; positions count code points. */

import { pointCount, pointOf, slicePoints, unitOf } from '../../text/points.ts';
import { failure } from '../../value/values.ts';

/** An index argument that has to lie in 0..limit. */
function within(index: bigint, limit: number): number {
  if (index < 0n || index > BigInt(limit)) throw failure(`index out of range: ${index}`);
  return Number(index);
}

/** The character at an index; the index after the last gives ''. */
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

/** The offset of a search, not beyond the end; the empty text is found there. */
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
  // An offset at or past the end finds nothing; only smaller ones are searched from.
  return offset >= BigInt(length) ? -1n : lastUpTo(text, part, from);
}

function lastUpTo(text: string, part: string, from: number): bigint {
  const unit = text.lastIndexOf(part, unitOf(text, from));
  return unit < 0 ? -1n : BigInt(pointOf(text, unit));
}
