/** The Kubernetes semver library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-semver-library). */
import { MAX_UINT64 } from '../../../core/text/go-numbers.ts';
import { cut, goQuote } from '../../../core/text/go-text.ts';
import { fn, type Library, method, type Overload } from '../library.ts';
import { BOOL, type CelType, INT, STRING } from '../types.ts';
import { attemptWork, compareValues } from '../value/order.ts';
import { type CelObject, type CelValue, type EvaluationError, failure, ownType, succeeds } from '../value/values.ts';

// Semantic versions as github.com/blang/semver reads and orders them.

const NUMBERS = ['major', 'minor', 'patch'] as const;

interface Version {
  numbers: readonly bigint[];
  /** Numbers rank below words. Build metadata does not affect the order and is dropped. */
  prerelease: readonly (bigint | string)[];
}

const DIGITS = /^[0-9]*$/;
const WORD = /^[0-9A-Za-z-]*$/;

/** @throws EvaluationError (failure) */
function parseVersion(text: string): Version {
  if (text === '') throw failure('Version string empty');
  const [major, minor, rest] = splitAtDots(text);
  if (minor === undefined || rest === undefined) throw failure('No Major.Minor.Patch elements found');
  const numbers = [parsePart('major', major), parsePart('minor', minor)];
  const [beforeBuild, build] = cut(rest, '+');
  const [digits, words] = cut(beforeBuild, '-');
  numbers.push(parsePart('patch', digits));
  const prerelease = words?.split('.').map(parsePrerelease) ?? [];
  build?.split('.').forEach(checkBuild);
  return { numbers, prerelease };
}

/** Splits into up to three parts at dots; the third has the rest. */
function splitAtDots(text: string): [string, string | undefined, string | undefined] {
  const [first, others] = cut(text, '.');
  const [second, rest] = others === undefined ? [] : cut(others, '.');
  return [first, second, rest];
}

function parsePart(name: (typeof NUMBERS)[number], digits: string): bigint {
  if (!DIGITS.test(digits)) throw failure(`Invalid character(s) found in ${name} number ${goQuote(digits)}`);
  if (/^0./.test(digits)) {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    throw failure(`${title} number must not contain leading zeroes ${goQuote(digits)}`);
  }
  return parseUint(digits);
}

function parseUint(digits: string): bigint {
  const fault = (why: string): EvaluationError => failure(`strconv.ParseUint: parsing ${goQuote(digits)}: ${why}`);
  if (digits === '') throw fault('invalid syntax');
  const value = BigInt(digits);
  if (value > MAX_UINT64) throw fault('value out of range');
  return value;
}

function parsePrerelease(word: string): bigint | string {
  if (word === '') throw failure('Prerelease is empty');
  if (DIGITS.test(word)) {
    if (/^0./.test(word)) {
      throw failure(`Numeric PreRelease version must not contain leading zeroes ${goQuote(word)}`);
    }
    return parseUint(word);
  }
  if (!WORD.test(word)) throw failure(`Invalid character(s) found in prerelease ${goQuote(word)}`);
  return word;
}

function checkBuild(word: string): void {
  if (word === '') throw failure('Build meta data is empty');
  if (!WORD.test(word)) throw failure(`Invalid character(s) found in build meta data ${goQuote(word)}`);
}

/** Removes a `v`, adds missing numbers as zeros and drops leading zeros. */
function normalizeVersion(text: string): string {
  const parts = splitAtDots(text.replace(/^v/, ''))
    .filter((part) => part !== undefined)
    .map((part) => (part.length > 1 ? part.replace(/^0+/, '').replace(/^(?![0-9])/, '0') : part));
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw failure('short version cannot contain PreRelease/Build meta data');
  }
  return [...parts, '0', '0'].slice(0, 3).join('.');
}

function compareVersions(a: Version, b: Version): bigint {
  const x = a.prerelease;
  const y = b.prerelease;
  const order = compareParts(a.numbers, b.numbers);
  // A version without a prerelease comes after those with one.
  if (order !== 0n || x.length === 0 || y.length === 0)
    return order || BigInt(Number(x.length === 0) - Number(y.length === 0));
  return compareParts(x, y);
}

function compareParts(a: readonly (bigint | string)[], b: typeof a): bigint {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1n;
    if (typeof part !== typeof other) return typeof part === 'bigint' ? -1n : 1n;
    const order = compareValues(part, other);
    if (order !== 0) return BigInt(order);
  }
  return a.length < b.length ? -1n : 0n;
}

const [SEMVER, semverOf] = ownType<Version>('kubernetes.Semver', (a, b) => compareVersions(a, b) === 0n);

const parse = (text: string, normalize = false): CelObject =>
  semverOf(parseVersion(normalize ? normalizeVersion(text) : text));

const isSemver = (text: string, normalize = false): boolean => succeeds(() => parse(text, normalize));

const comparison = (name: string, result: CelType, call: (order: bigint) => CelValue): Overload =>
  method(name, [SEMVER, SEMVER], result, (a, b) => call(compareVersions(a.held, b.held)));

/** The parts are unsigned in Go and converted to ints bit by bit. */
const parts = NUMBERS.map((name, index) =>
  method(name, [SEMVER], INT, ({ held }) => BigInt.asIntN(64, held.numbers[index] ?? 0n)),
);

/** The library's first version, which kro has: without the `normalize` argument. */
export const semver: Library = [
  fn('semver', [STRING], SEMVER, parse, { work: attemptWork }),
  fn('isSemver', [STRING], BOOL, isSemver, { work: attemptWork }),
  comparison('isGreaterThan', BOOL, (order) => order === 1n),
  comparison('isLessThan', BOOL, (order) => order === -1n),
  comparison('compareTo', INT, (order) => order),
  ...parts,
];

/** The version in the API server. */
export const semverVersion1: Library = [
  ...semver,
  fn('semver', [STRING, BOOL], SEMVER, parse, { work: attemptWork }),
  fn('isSemver', [STRING, BOOL], BOOL, isSemver, { work: attemptWork }),
];
