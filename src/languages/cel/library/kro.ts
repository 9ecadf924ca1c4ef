/** kro's functions of lists and maps, which return a changed copy (pkg/cel/library/lists.go and maps.go). */

import { fnv1a64, md5, sha256 } from '../../../core/digest/hashes.ts';
import { GO } from '../../../core/encoding/go-json.ts';
import { JsonError, parseJson } from '../../../core/encoding/json.ts';
import { generalFloat } from '../../../core/text/float.ts';
import { durationText } from '../../../core/text/go-text.ts';
import { utf8 } from '../../../core/text/utf8.ts';
import { ENTRY } from '../budget.ts';
import { fn, type Library, method, type Overload } from '../library.ts';
import { timestampText, ZERO_TIME } from '../std/times.ts';
import { storedForm } from '../stored.ts';
import { BYTES, DYN, INT, listOf, mapOf, type ObjectType, param, STRING } from '../types.ts';
import { characterWork, fixedWork, mapEntries, mapFrom, mapGet, mapSize, writtenSize } from '../value/order.ts';
import {
  type CelKey,
  type CelMap,
  CelObject,
  type CelRecord,
  type CelValue,
  Duration,
  type EvaluationError,
  failure,
  fixedFailure,
  isMapValue,
  keyKind,
  kindOf,
  Timestamp,
} from '../value/values.ts';
import { type JsonStyle, jsonSize, writeJson } from './encoders.ts';

type List = readonly CelValue[];

const T = param('T');
const LIST = listOf(T);

/** Checks the index of an item, or of the position after the last if `bracket` is ']'. */
function within(name: string, list: List, index: bigint, bracket: ')' | ']'): number {
  const last = BigInt(list.length) - (bracket === ')' ? 1n : 0n);
  if (index < 0n || index > last) {
    throw failure(`lists.${name}: index ${index} out of bounds [0, ${list.length}${bracket}`);
  }
  return Number(index);
}

const setAtIndex = (list: List, index: bigint, value: CelValue): List =>
  list.with(within('setAtIndex', list, index, ')'), value);

const insertAtIndex = (list: List, index: bigint, value: CelValue): List =>
  list.toSpliced(within('insertAtIndex', list, index, ']'), 0, value);

const removeAtIndex = (list: List, index: bigint): List => list.toSpliced(within('removeAtIndex', list, index, ')'), 1);

const grown = (list: List): number => list.length + 1;

export const kroLists: Library = [
  fn('lists.setAtIndex', [LIST, INT, T], LIST, setAtIndex, { size: grown }),
  fn('lists.insertAtIndex', [LIST, INT, T], LIST, insertAtIndex, { size: grown }),
  fn('lists.removeAtIndex', [LIST, INT], LIST, removeAtIndex, { size: grown }),
];

type MapValue = CelRecord | CelMap;

const MAP = mapOf(param('K'), param('V'));

/** Returns the entries of both maps, the second one wins. */
const merge = (map: MapValue, other: MapValue): MapValue => mapFrom([...mapEntries(map), ...mapEntries(other)]);

/** As `merge`, but maps with the same key are merged recursively. */
function deepMerge(map: CelValue, other: CelValue): MapValue {
  if (!isMapValue(map) || !isMapValue(other)) throw fixedFailure('no such overload');
  if (mapSize(other) === 0) return map;
  if (mapSize(map) === 0) return other;
  const merged = mapEntries(other).map(([key, value]) => {
    const own = mapGet(map, key);
    const both = own !== undefined && isMapValue(own) && isMapValue(value);
    return [key, both ? deepMerge(own, value) : value] as const;
  });
  return mapFrom([...mapEntries(map), ...merged]);
}

export const maps: Library = [
  method('merge', [MAP, MAP], MAP, merge, {
    size: (map, other) => (mapSize(map) + mapSize(other)) * ENTRY,
  }),
  method('deepMerge', [DYN, DYN], DYN, deepMerge, {
    size: (map, other) => Math.min(writtenSize(map), writtenSize(other)) + (topSize(map) + topSize(other)) * ENTRY,
  }),
];

const topSize = (value: CelValue): number => (isMapValue(value) ? mapSize(value) : 0);

/** kro's hash functions, of a text as bytes, and its random functions (pkg/cel/library/hash.go and random.go). */

/** The steps for a block of a digest. */
const DIGEST = 50;

const hashing = (name: string, digest: (message: Uint8Array) => Uint8Array): Overload =>
  fn(name, [STRING], BYTES, (text: string) => digest(utf8(text)), {
    size: () => 32,
    work: (text: string) => DIGEST + characterWork(text),
  });

export const hash: Library = [
  hashing('hash.fnv64a', fnv1a64),
  hashing('hash.sha256', sha256),
  hashing('hash.md5', md5),
];

const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const seeded = (seed: string): DataView => new DataView(sha256(utf8(seed)).buffer);

/** One character for every four bytes of the seed's hash; longer texts hash repeatedly. */
function seededString(length: bigint, seed: string): string {
  if (length <= 0n) throw failure('random.seededString length must be positive');
  const hash = seeded(seed);
  let period = '';
  for (let at = 0; at < hash.byteLength; at += 4) period += CHARACTERS[hash.getUint32(at) % CHARACTERS.length];
  const count = Number(length);
  return period.repeat(Math.ceil(count / period.length)).slice(0, count);
}

function seededInt(min: bigint, max: bigint, seed: string): bigint {
  if (min >= max) throw failure('random.seededInt min must be less than max');
  return min + (seeded(seed).getBigUint64(0) % (max - min));
}

/** The steps for a block of a digest, and of its conversion. */
const CONVERTED = 70;
const seedWork = (seed: string): number => CONVERTED + characterWork(seed);

export const random: Library = [
  fn('random.seededString', [INT, STRING], STRING, seededString, {
    size: (length) => Number(length),
    work: (_length, seed) => seedWork(seed),
  }),
  fn('random.seededInt', [INT, INT, STRING], INT, seededInt, { work: (_min, _max, seed) => seedWork(seed) }),
];

/** kro's JSON functions (pkg/cel/library/json.go): Go's encoding/json over the plain form of a CEL value. */

const unsupported = (why: string): EvaluationError => failure(`json.marshal failed to convert value: ${why}`);

/** Timestamps and durations print as Kubernetes' Time and Duration do. */
const KUBERNETES: JsonStyle = {
  scalar(value) {
    if (value instanceof Duration) return durationText(value.nanos);
    if (value instanceof Timestamp) return value.nanos === ZERO_TIME ? null : timestampText(value.nanos, 'seconds');
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw failure(`json.marshal failed to encode value: json: unsupported value: ${generalFloat(value)}`);
    }
    // Maps and objects that were read are written in their stored form.
    // Go's JSON of an empty struct.
    if (isOmitted(value)) return {};
    const form = isMapValue(value) ? storedForm(value) : value;
    return form === value ? undefined : form;
  },
  key(key: CelKey) {
    if (typeof key !== 'string') throw unsupported(`map key must be string, got ${keyKind(key)}`);
    return key;
  },
  unsupported: (value: CelValue) => unsupported(`unsupported type: ${kindOf(value)}`),
};

function unmarshal(text: string): CelValue {
  try {
    return parseJson(text, GO) as CelValue;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw failure(`json.unmarshal failed to parse JSON: ${error.message}`);
  }
}

export const json: Library = [
  fn('json.marshal', [DYN], STRING, (value) => writeJson(value, KUBERNETES), {
    size: jsonSize,
    work: fixedWork(30),
  }),
  fn('json.unmarshal', [STRING], DYN, unmarshal, {
    size: (text) => text.length,
    work: (text) => 15 + characterWork(text),
  }),
];

/** kro's `runtime`, with which an RGD writes its own status conditions (pkg/cel/library/runtime.go). */

export const RUNTIME_VARIABLE = 'runtime';
const CONDITION_KEYS = ['type', 'status', 'reason', 'message'];
export const CONDITION_STATUSES: readonly string[] = ['True', 'False', 'Unknown'];

const objectOf = (name: string, texts: readonly string[]): ObjectType => ({
  kind: 'object',
  name,
  open: false,
  field: (field) => (texts.includes(field) ? STRING : undefined),
  fieldNames: () => texts,
});

/** The type of `runtime`, which only has two methods. */
export const RUNTIME_TYPE = objectOf('kro.run.Runtime', []);
/** What both methods return. */
export const CONDITION_TYPE = objectOf('kro.run.Condition', CONDITION_KEYS);

/** Conditions are only type-checked: kro's controller evaluates them, and no expression has the value of `runtime`. */
function unreached(): never {
  throw fixedFailure('the value of runtime is unknown');
}

export const runtime: Library = [
  method('newCondition', [RUNTIME_TYPE, mapOf(STRING, STRING)], CONDITION_TYPE, unreached),
  method('condition', [RUNTIME_TYPE, DYN, STRING], CONDITION_TYPE, unreached),
];

const OMITTED = new CelObject<null>(
  {
    name: 'kro.omit',
    equals: () => false,
    incomparable: 'omit() is a field-removal sentinel and cannot be compared',
  },
  null,
);

/** Reports whether a value is the result of kro's `omit()`: its field, or its item of a list, is left out. */
export const isOmitted = (value: CelValue): boolean => value === OMITTED;

/** kro's `omit()`. It is behind a feature gate: the compiler rejects it by name where that is not enabled. */
export const omit: Library = [fn('omit', [], DYN, () => OMITTED)];
