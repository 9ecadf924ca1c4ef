/** `[]` and `[?]` on lists, maps and optionals of them, and `size`. */
import { findOptional, index } from '../access.ts';
import { type Call, type Costs, fn, method, type Overload } from '../library.ts';
import { pointCount } from '../text/quote.ts';
import { BYTES, type CelType, INT, listOf, mapOf, optionalOf, param, STRING } from '../types.ts';
import { mapSize } from '../value/maps.ts';
import { pointWork } from '../value/size.ts';
import type { CelMap, CelRecord, CelValue } from '../value/values.ts';

const A = param('A');
const B = param('B');
const LIST = listOf(A);
const MAP = mapOf(A, B);

const length = (value: { length: number }): bigint => BigInt(value.length);

const size = <const T extends CelType>(type: T, call: Call<readonly [T], CelValue>, costs?: Costs<readonly [T]>) => [
  fn('size', [type] as const, INT, call, costs),
  method('size', [type] as const, INT, call, costs),
];

export const access: readonly Overload[] = [
  fn('_[_]', [LIST, INT], A, index),
  fn('_[_]', [MAP, A], B, index),
  fn('_[_]', [optionalOf(LIST), INT], optionalOf(A), findOptional),
  fn('_[_]', [optionalOf(MAP), A], optionalOf(B), findOptional),
  fn('_[?_]', [LIST, INT], optionalOf(A), findOptional),
  fn('_[?_]', [optionalOf(LIST), INT], optionalOf(A), findOptional),
  fn('_[?_]', [MAP, A], optionalOf(B), findOptional),
  fn('_[?_]', [optionalOf(MAP), A], optionalOf(B), findOptional),
  ...size(BYTES, length),
  ...size(LIST, length),
  ...size(MAP, (map: CelRecord | CelMap): CelValue => BigInt(mapSize(map))),
  ...size(STRING, (text) => BigInt(pointCount(text)), { work: pointWork }),
];
