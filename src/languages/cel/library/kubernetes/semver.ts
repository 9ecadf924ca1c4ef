/** The Kubernetes semver library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-semver-library). */
import { costing, fn, type Library, method, type Overload } from '../../library.ts';
import { BOOL, INT, opaque, STRING } from '../../types.ts';
import { succeeds } from '../../value/attempt.ts';
import { CelObject } from '../../value/values.ts';
import { attemptWork } from '../../value/work.ts';
import { compareVersions, normalizeVersion, parseVersion, type Version } from './semver-version.ts';

class Semver extends CelObject {
  readonly typeName = 'kubernetes.Semver';
  constructor(readonly version: Version) {
    super();
  }
  equals(other: CelObject): boolean {
    return other instanceof Semver && compareVersions(this.version, other.version) === 0n;
  }
}

const SEMVER = opaque('kubernetes.Semver');

const parse = (text: string, normalize = false): Semver =>
  new Semver(parseVersion(normalize ? normalizeVersion(text) : text));

const isSemver = (text: string, normalize = false): boolean => succeeds(() => parse(text, normalize));
const compare = (a: Semver, b: Semver): bigint => compareVersions(a.version, b.version);

/** The parts are unsigned in Go and converted to ints bit by bit. */
const part = (name: 'major' | 'minor' | 'patch'): Overload =>
  method(name, [SEMVER], INT, ({ version }: Semver) => BigInt.asIntN(64, version[name]));

const version0: readonly Overload[] = [
  costing(fn('semver', [STRING], SEMVER, parse), attemptWork),
  costing(fn('isSemver', [STRING], BOOL, isSemver), attemptWork),
  method('isGreaterThan', [SEMVER, SEMVER], BOOL, (a: Semver, b: Semver) => compare(a, b) === 1n),
  method('isLessThan', [SEMVER, SEMVER], BOOL, (a: Semver, b: Semver) => compare(a, b) === -1n),
  method('compareTo', [SEMVER, SEMVER], INT, compare),
  part('major'),
  part('minor'),
  part('patch'),
];

/** The version in kro: the library's first version, without the `normalize` argument. */
export const semver: Library = { name: 'kubernetes semver', overloads: version0 };

/** The version in the API server. */
export const semverVersion1: Library = {
  name: 'kubernetes semver',
  overloads: [
    ...version0,
    costing(fn('semver', [STRING, BOOL], SEMVER, parse), attemptWork),
    costing(fn('isSemver', [STRING, BOOL], BOOL, isSemver), attemptWork),
  ],
};
