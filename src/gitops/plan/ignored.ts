import { changesBetween, type ObjectChange } from '../../compare/diff/index.ts';
import { placedIn } from '../../compare/review/index.ts';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { equal, isMap, setKey, type Value } from '../../core/model/value.ts';
import { patternTest } from '../../languages/glob/index.ts';
import type { Fate, IgnoreRule } from './application.ts';

/** The fields that a controller leaves as they are in the cluster. */
export interface Ignoring {
  /** Returns a change without those fields. */
  appliedOf: (change: ObjectChange) => ObjectChange;
  /** Returns the fate of an object of which nothing else changes. */
  fateOf: (change: ObjectChange) => Fate | undefined;
}

/**
 * Returns what rules leave out of changes: `ignoreDifferences` with `RespectIgnoreDifferences=true` (argo-cd:
 * controller/sync.go, normalizeTargetResources), and `spec.ignore` of a Kustomization. A new object gets all its fields.
 */
export function createIgnoring(rules: readonly IgnoreRule[]): Ignoring {
  const known = new Map<ObjectChange, { applied: ObjectChange; why: string } | undefined>();
  const ignoredIn = (change: ObjectChange): { applied: ObjectChange; why: string } | undefined => {
    if (!known.has(change)) known.set(change, ignore(change, rules));
    return known.get(change);
  };
  return {
    appliedOf: (change) => ignoredIn(change)?.applied ?? change,
    fateOf: (change) => {
      const found = ignoredIn(change);
      return found !== undefined && isSame(found.applied) ? { word: 'kept', why: found.why } : undefined;
    },
  };
}

const isSame = ({ before, after }: ObjectChange): boolean =>
  before !== undefined && after !== undefined && equal(before.object, after.object);

function ignore(
  change: ObjectChange,
  rules: readonly IgnoreRule[],
): { applied: ObjectChange; why: string } | undefined {
  const { before, after } = change;
  if (change.change !== 'changed' || before === undefined || after === undefined) return undefined;
  const own = rules.filter((rule) => isMatching(rule, after.object));
  const [first] = own;
  if (first === undefined) return undefined;
  let object: Value = after.object;
  for (const { pointers } of own) {
    for (const pointer of pointers) object = withValueAt(object, before.object, stepsOf(pointer));
  }
  const left = placedIn(after, object as KubeObject);
  const [applied = { ...change, after: left, fields: [] }] = changesBetween([before], [left]);
  return { applied, why: first.why };
}

function isMatching({ group, version, kind, name, namespace, matching }: IgnoreRule, object: KubeObject): boolean {
  const gvk = groupVersionKind(object);
  const isLike = matching === 'glob' ? matchesGlob : matchesRegexp;
  const isNamed = (pattern: string, value: string): boolean =>
    pattern === '' || (matching === 'glob' ? pattern === value : matchesRegexp(pattern, value));
  const isOfGroup = matching === 'regexp' && group === '' ? true : isLike(group, gvk.group);
  return (
    isOfGroup &&
    isNamed(version, gvk.version) &&
    (kind === '' || isLike(kind, gvk.kind)) &&
    isNamed(name, nameOf(object)) &&
    isNamed(namespace, namespaceOf(object))
  );
}

const matchesGlob = (pattern: string, text: string): boolean =>
  pattern === text || patternTest(pattern, { matchesSlash: true, braces: true })(text);

/** Reads the regular expressions that people write for names: alternatives with `.*`. Others match nothing here. */
const matchesRegexp = (pattern: string, text: string): boolean =>
  /^[A-Za-z0-9.*|-]+$/.test(pattern) &&
  pattern.split('|').some((one) => one === text || matchesGlob(one.replaceAll('.*', '*'), text));

/** Reads a JSON pointer. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns a value with what another one has at a path; `*` are all items of a list. */
function withValueAt(value: Value, other: Value | undefined, steps: readonly string[]): Value {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const its = Array.isArray(other) ? other[index] : undefined;
      if (step !== '*' && step !== String(index)) return item;
      return rest.length === 0 ? (its ?? item) : withValueAt(item, its, rest);
    });
  }
  if (!isMap(value)) return value;
  const its = isMap(other) && Object.hasOwn(other, step) ? other[step] : undefined;
  const copy = { ...value };
  if (rest.length > 0) {
    const own = Object.hasOwn(value, step) ? value[step] : undefined;
    if (own !== undefined) setKey(copy, step, withValueAt(own, its, rest));
  } else if (its === undefined) delete copy[step];
  else setKey(copy, step, its);
  return copy;
}

/** Returns the JSON pointers of a jq path such as `.spec.template.spec.containers[].image`; `undefined` for others. */
export function pointerOfJq(expression: string): string | undefined {
  const text = expression.trim();
  const pointer: string[] = [];
  const step = /\.([A-Za-z_][A-Za-z0-9_]*)|\.?\["([^"\\]*)"\]|\.?\[(\d*)\]|\."([^"\\]*)"/y;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null) return undefined;
    const [, name, key, index, quoted] = found;
    const named = name ?? key ?? quoted;
    pointer.push(named === undefined ? index || '*' : named.replaceAll('~', '~0').replaceAll('/', '~1'));
  }
  return pointer.length === 0 ? undefined : pointer.map((one) => `/${one}`).join('');
}
