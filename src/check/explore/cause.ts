/** Finds the field of an instance that decides whether it has a fault, and the bound at which the fault begins. */
import type { InputObject } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { generatedInput, withoutValue, withValue } from '../../describe/instances/index.ts';
import type { Graph } from '../../kro/compile/index.ts';

/** What about a field decides. */
export type Bound =
  | { is: 'absent' }
  | { is: 'longest' | 'shortest' | 'least' | 'greatest'; value: bigint }
  | { is: 'empty-list' | 'items' | 'value' };

export interface Cause {
  /** The path below `spec`; undefined for the name of the instance. */
  path: Path | undefined;
  bound: Bound;
  /** The instance with the value next to the bound, which still shows the fault. */
  least: InputObject;
}

export interface Trial {
  small: InputObject;
  /** An instance with a usual value in every field. */
  usual: InputObject | undefined;
  /** Reports whether an instance is accepted and shows the fault. */
  shows: (instance: InputObject) => boolean;
  isAccepted: (instance: InputObject) => boolean;
  /** Whether more instances may be tried. */
  hasTrials: () => boolean;
}

/** Returns the field that decides whether an instance has a fault; undefined if no single one does. */
export function causeOf(trial: Trial, graph: Graph): Cause | undefined {
  return nameCause(trial) ?? absentCause(trial, graph) ?? valueCause(trial);
}

const specOf = ({ object }: InputObject): Value => get(object, 'spec') ?? {};

const withSpec = ({ object }: InputObject, spec: Value): InputObject => generatedInput({ ...object, spec });

/** Reports whether an instance is accepted and does not show the fault. */
const isFine = (one: InputObject, { shows, isAccepted, hasTrials }: Trial): boolean =>
  hasTrials() && isAccepted(one) && !shows(one) && hasTrials();

const withName = ({ object }: InputObject, name: string): InputObject =>
  generatedInput({ ...object, metadata: { ...(isMap(object.metadata) ? object.metadata : {}), name } });

/** Returns the other bounds of the field that decides: of these values, which show the fault in other instances. */
export function otherBounds({ path, bound }: Cause, values: readonly Value[], trial: Trial): Cause[] {
  if (path === undefined) return [];
  const good = trial.usual === undefined ? undefined : getAt(specOf(trial.usual), path);
  const known = new Set([bound.is]);
  const found: Cause[] = [];
  for (const value of values) {
    const side = sideOf(value, good);
    if (side === undefined || known.has(side)) continue;
    known.add(side);
    const small = withSpec(
      trial.small,
      withValue(specOf(trial.small), path, value, () => ({})),
    );
    if (trial.shows(small)) found.push(boundedCause(path, value, good, { ...trial, small }));
  }
  return found;
}

/** Returns the bound that a value is beyond, compared with a good one. */
function sideOf(value: Value, good: Value | undefined): Bound['is'] | undefined {
  if (typeof value === 'bigint' && typeof good === 'bigint') return value < good ? 'least' : 'greatest';
  if (typeof value === 'string') return value === '' ? 'shortest' : value.length < LONG ? 'value' : 'longest';
  if (Array.isArray(value)) return value.length === 0 ? 'empty-list' : 'items';
  return undefined;
}

/** The length from which a text is tried because of its length. */
const LONG = 60;

/** The name of an instance decides if a short one has no fault. */
function nameCause(trial: Trial): Cause | undefined {
  const { small } = trial;
  const name = String(getAt(small.object, ['metadata', 'name']));
  if (name.length < 20 || !isFine(withName(small, 'n'), trial)) return undefined;
  const longest = lastFine(1n, BigInt(name.length), (length) =>
    isFine(withName(small, 'n'.repeat(Number(length))), trial),
  );
  const least = withName(small, 'n'.repeat(Number(longest) + 1));
  return { path: undefined, bound: { is: 'longest', value: longest }, least };
}

/** An absent optional field decides if the instance with the field has no fault. */
function absentCause(trial: Trial, { schema }: Graph): Cause | undefined {
  const { small, usual } = trial;
  if (usual === undefined) return undefined;
  const required = schema.properties?.spec?.required ?? [];
  for (const [path, value] of entriesOf(specOf(usual), [])) {
    if (path.length === 1 && required.includes(String(path[0]))) continue;
    // An item is not optional: the list is too short.
    if (typeof path.at(-1) === 'number') continue;
    if (getAt(specOf(small), path) !== undefined || getAt(specOf(small), path.slice(0, -1)) === undefined) continue;
    const spec = withValue(specOf(small), path, value, () => ({}));
    if (isFine(withSpec(small, spec), trial)) return { path, bound: { is: 'absent' }, least: small };
  }
  return undefined;
}

/** A value decides if the instance with a usual one in its place, or without it, has no fault. */
function valueCause(trial: Trial): Cause | undefined {
  const { small, usual } = trial;
  const spec = specOf(small);
  // The innermost field says most.
  for (const [path, value] of [...entriesOf(spec, [])].toReversed()) {
    const good = usual === undefined ? undefined : getAt(specOf(usual), path);
    if (good === undefined || equal(good, value)) {
      if (isFine(withSpec(small, withoutValue(spec, path)), trial)) return boundedCause(path, value, undefined, trial);
      continue;
    }
    const changed = withValue(spec, path, good, () => ({}));
    if (isFine(withSpec(small, changed), trial)) return boundedCause(path, value, good, trial);
  }
  return undefined;
}

function boundedCause(path: Path, bad: Value, good: Value | undefined, trial: Trial): Cause {
  const { small } = trial;
  const changed = (value: Value): InputObject =>
    withSpec(
      small,
      withValue(specOf(small), path, value, () => ({})),
    );
  const isFineWith = (value: Value): boolean => isFine(changed(value), trial);
  if (typeof bad === 'string') return { path, ...textBound(bad, good, isFineWith, changed, small) };
  if (typeof bad === 'bigint' && typeof good === 'bigint') {
    const last = lastFine(good, bad, isFineWith);
    const least = changed(bad > good ? last + 1n : last - 1n);
    return { path, bound: { is: bad > good ? 'greatest' : 'least', value: last }, least };
  }
  if (Array.isArray(bad)) {
    return { path, bound: { is: bad.length === 0 ? 'empty-list' : 'items' }, least: small };
  }
  return { path, bound: { is: 'value' }, least: small };
}

function textBound(
  bad: string,
  good: Value | undefined,
  isFineWith: (value: Value) => boolean,
  changed: (value: Value) => InputObject,
  small: InputObject,
): Pick<Cause, 'bound' | 'least'> {
  if (bad === '') return { bound: { is: 'shortest', value: 1n }, least: small };
  const start = typeof good === 'string' ? Math.min(good.length, bad.length - 1) : 1;
  const cut = (length: bigint): string => bad.slice(0, Number(length));
  if (start < 1 || !isFineWith(cut(BigInt(start)))) return { bound: { is: 'value' }, least: small };
  const longest = lastFine(BigInt(start), BigInt(bad.length), (length) => isFineWith(cut(length)));
  return { bound: { is: 'longest', value: longest }, least: changed(cut(longest + 1n)) };
}

/** Returns the last number from one that is fine towards one that is not. */
function lastFine(fine: bigint, faulty: bigint, isFineAt: (value: bigint) => boolean): bigint {
  let [last, first] = [fine, faulty];
  while (first - last > 1n || last - first > 1n) {
    const middle = (last + first) / 2n;
    if (isFineAt(middle)) last = middle;
    else first = middle;
  }
  return last;
}

/** Yields all values below a value, outer ones first. */
function* entriesOf(value: Value, path: Path): Iterable<readonly [Path, Value]> {
  const entries: [string | number, Value][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [key, inner] of entries) yield [[...path, key], inner];
  for (const [key, inner] of entries) yield* entriesOf(inner, [...path, key]);
}
