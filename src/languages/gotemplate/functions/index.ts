import { adler32, hex, sha1, sha256 } from '../../../core/digest/hashes.ts';
import {
  decodeBase32,
  decodeBase64,
  encodeBase32,
  encodeBase64,
  isFault,
  packed,
  unpacked,
} from '../../../core/encoding/base64.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { clampedInt64 } from '../../../core/text/go-numbers.ts';
import type { Functions, GoFunction } from '../run/state.ts';
import { durationText, parseDuration, parseLayout, ZERO_TIME } from '../values/times.ts';
import { deepEqual, GoTime, type GoValue, kindName, typeName, wrap64 } from '../values/values.ts';
import { both, type FunctionTable, fail, fixed, isEmpty, ofDigits, ofString, variadic } from './define.ts';
import { dictFunctions, urlFunctions } from './dicts.ts';
import { jsonFunctions } from './json.ts';
import { languageFunctions } from './language.ts';
import { listFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { regexFunctions } from './regex.ts';
import { stringFunctions } from './strings.ts';

const SECOND = 1_000_000_000n;
const HOUR = 3600n * SECOND;
const UNITS: readonly (readonly [bigint, string])[] = [
  [HOUR * 24n * 365n, 'y'],
  [HOUR * 24n * 30n, 'mo'],
  [HOUR * 24n, 'd'],
  [HOUR, 'h'],
  [60n * SECOND, 'm'],
  [SECOND, 's'],
];

/** Formats `95` seconds as `1m35s`; an int, which is not an int64, counts as zero. */
function duration(value: GoValue): string {
  const seconds = typeof value === 'string' ? clampedInt64(value) : typeof value === 'bigint' ? value : 0n;
  return durationText(wrap64(seconds * SECOND));
}

function durationRound(value: GoValue): string {
  if (value instanceof GoTime) throw fail('the clock is not supported, because a rendering must be reproducible');
  const length = typeof value === 'string' ? (parseDuration(value) ?? 0n) : typeof value === 'bigint' ? value : 0n;
  const size = length < 0n ? -length : length;
  const unit = UNITS.find(([each]) => size > each);
  return unit === undefined ? '0s' : `${size / unit[0]}${unit[1]}`;
}

function modified(text: string, { seconds, nanoseconds, zone }: GoTime): GoValue {
  const length = parseDuration(text);
  if (length === undefined) throw fail(`time: invalid duration ${JSON.stringify(text)}`);
  const total = BigInt(nanoseconds) + length;
  const carried = total >= 0n ? total / SECOND : -((-total + SECOND - 1n) / SECOND);
  return new GoTime(seconds + carried, Number(total - carried * SECOND), zone);
}

const modify = fixed(['string', 'time'], modified);

const dateFunctions = ofDigits({
  ago: fixed(['any'], () => {
    throw fail('the clock is not supported, because a rendering must be reproducible');
  }),
  duration: fixed(['any'], duration),
  durationRound: fixed(['any'], durationRound),
  must_date_modify: modify,
  mustDateModify: modify,
  toDate: fixed(['string', 'string'], (layout, text) => parseLayout(layout, text) ?? ZERO_TIME),
  mustToDate: fixed(['string', 'string'], (layout, text) => {
    const time = parseLayout(layout, text);
    if (time === undefined) throw fail(`parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}`);
    return time;
  }),
  unixEpoch: fixed(['time'], ({ seconds }) => String(seconds)),
});

const defaultFunctions: FunctionTable = {
  default: variadic(['any', 'any'], (otherwise, [value = null]) => (isEmpty(value) ? otherwise : value)),
  empty: fixed(['any'], isEmpty),
  coalesce: variadic(['any'], (values) => values.find((value: GoValue) => !isEmpty(value)) ?? null),
  all: variadic(['any'], (values) => !values.some(isEmpty)),
  any: variadic(['any'], (values) => !values.every(isEmpty)),
  ternary: fixed(['any', 'any', 'bool'], (yes, no, condition) => (condition ? yes : no)),
};

/** Returns the error message for text that cannot be decoded, as slim-sprig does. */
function decoded(result: Uint8Array | { offset: number }, base: 32 | 64): string {
  return isFault(result) ? `illegal base${base} data at input byte ${result.offset}` : packed(result);
}

const ofDigest = (call: (text: string) => string, steps = 1 / 16): GoFunction => ofString(call, steps, 2);

const encodingFunctions: FunctionTable = {
  b64enc: ofDigest((text) => encodeBase64(unpacked(text))),
  b64dec: ofDigest((text) => decoded(decodeBase64(text), 64)),
  b32enc: ofDigest((text) => encodeBase32(unpacked(text)), 1 / 2),
  b32dec: ofDigest((text) => decoded(decodeBase32(text), 32), 1 / 2),
  sha1sum: ofDigest((text) => hex(sha1(unpacked(text)))),
  sha256sum: ofDigest((text) => hex(sha256(unpacked(text)))),
  adler32sum: ofDigest((text) => String(adler32(unpacked(text)))),
};

/** Returns the shortest name of a path, as Go's path.Clean. */
function cleanPath(path: string): string {
  if (path === '') return '.';
  const rooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push(part);
  }
  const clean = `${rooted ? '/' : ''}${parts.join('/')}`;
  return clean === '' ? '.' : clean;
}

function basePath(path: string): string {
  if (path === '') return '.';
  const trimmed = path.replace(/(?<!\/)\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/** Those with `os` are for paths of the machine, which has slashes. */
const pathFunctions = both(
  {
    base: ofString(basePath),
    dir: ofString((path) => cleanPath(path.slice(0, path.lastIndexOf('/') + 1))),
    clean: ofString(cleanPath),
    ext: ofString(extension),
    isAbs: ofString((path) => path.startsWith('/')),
  },
  'os',
);

const isType = fixed(['string', 'any'], (name, value) => name === typeName(value));

const reflectionFunctions: FunctionTable = {
  typeOf: fixed(['any'], typeName),
  typeIs: isType,
  // There are no pointers with a similar type.
  typeIsLike: isType,
  kindOf: fixed(['any'], kindName),
  kindIs: fixed(['string', 'any'], (name, value) => name === kindName(value)),
  deepEqual: fixed(['any', 'any'], deepEqual),
};

const standardTable = lazily((): ReadonlyMap<string, GoFunction> => {
  const tables = [
    languageFunctions,
    defaultFunctions,
    stringFunctions,
    numberFunctions,
    dictFunctions,
    listFunctions,
    jsonFunctions,
    regexFunctions,
    encodingFunctions,
    pathFunctions,
    urlFunctions,
    dateFunctions,
    reflectionFunctions,
  ];
  return new Map(tables.flatMap(Object.entries));
});

/** The functions of text/template, and the deterministic ones of https://go-task.github.io/slim-sprig/. */
export const standardFunctions: Functions = (name) => standardTable().get(name);

export const standardNames = (): string[] => [...standardTable().keys()].sort();
