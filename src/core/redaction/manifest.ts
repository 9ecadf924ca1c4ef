import { OBJECT_META, ORDER_ANNOTATIONS } from '../model/keys.ts';
import { get, getAt, isMap, type Path, type Value, type ValueMap } from '../model/value.ts';
import { nearest } from '../text/nearest.ts';
import { anyOf, fieldsOf, membersOf, type Secrecy, within } from './secrecy.ts';

/** Fields of a Secret that describe it and contain no values. Annotations may contain a copy of the whole object. */
const PLAIN_FIELDS = ['apiVersion', 'kind', 'type', 'immutable'];
const PLAIN_METADATA = OBJECT_META.filter((name) => name !== 'annotations');
/** Maps of a Secret whose keys are names, as `kubectl describe` shows them. */
const NAMED_VALUES = ['data', 'stringData', 'annotations'];

export const hasNamedValues = (field: string): boolean => NAMED_VALUES.includes(field);

/** Reports whether a key is a name: a key without a value may be a misplaced value. */
export const isNameOfValue = (value: Value | undefined): boolean => value !== undefined && value !== null;

const plain = (fields: readonly string[]): Record<string, Secrecy> =>
  Object.fromEntries(fields.map((field) => [field, false]));

/** The secret parts of a Secret: everything that is not known to be public. */
export const SECRET: Secrecy = fieldsOf(
  {
    ...plain(PLAIN_FIELDS),
    metadata: fieldsOf({ ...plain(PLAIN_METADATA), annotations: fieldsOf(plain(ORDER_ANNOTATIONS), true) }, true),
  },
  true,
);

/** Reports whether a value of a field of a Secret may be printed. */
function isPlainField(path: readonly (string | number)[]): boolean {
  const secrecy = within(SECRET, path);
  return typeof secrecy === 'boolean' ? !secrecy : path.length < 2;
}

/** Reports whether a kind is `Secret`, or a misspelling of it. */
export const isSecretKind = alike('Secret');
export const isSecretListKind = alike('SecretList');

/** The maximum number of cached kinds. */
const MOST_KINDS = 500;

/** Returns a predicate with a cache, because every field of every object asks for one of a few kinds. */
function alike(wanted: string): (kind: string) => boolean {
  const answers = new Map<string, boolean>();
  return (kind) => {
    const known = answers.get(kind);
    if (known !== undefined) return known;
    const answer = kind === wanted || nearest(kind, [wanted]).length > 0;
    if (answers.size < MOST_KINDS) answers.set(kind, answer);
    return answer;
  };
}

/** Contains a copy of its object, which may be or contain a Secret. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Reports whether a text may be a kind. Any other text, such as a version in the wrong field, does not identify an
 * object.
 */
export const isKindName = (text: string): boolean => /^[A-Z][A-Za-z0-9]*$/.test(text);

/** The context of a map: where only objects occur, among the items of a list of Secrets, or anywhere. */
export type ObjectContext = 'object' | 'secret' | 'anywhere';

/**
 * Reports whether a map is a Secret, or may be one: an object without a valid kind that has `data`; anything with
 * `stringData`. `kind` is its kind, `undefined` if it has none that is a string.
 */
export function maybeSecret(kind: string | undefined, has: (key: string) => boolean, position: ObjectContext): boolean {
  if (has('stringData')) return true;
  if (kind !== undefined && isSecretKind(kind)) return position !== 'anywhere' || !isReference(has);
  if (kind !== undefined && isKindName(kind)) return false;
  return position === 'secret' || (position === 'object' && has('data'));
}

/** A map that refers to a Secret, as in `certificateRefs`, contains no values of it. */
const isReference = (has: (key: string) => boolean): boolean => has('name') && !has('metadata') && !has('data');

/**
 * Returns the context of a member of a map or list in a context. Everything in a list of Secrets counts as an item,
 * because the key may be misspelled.
 */
export function contextOf(
  of: { kind: string | undefined; position: ObjectContext },
  key: string | number,
): ObjectContext {
  if (typeof key === 'number') return of.position;
  if (of.kind !== undefined && isSecretListKind(of.kind)) return key === 'metadata' ? 'anywhere' : 'secret';
  // In a kustomization.
  if (key === 'secretGenerator') return 'secret';
  return OBJECTS_IN.includes(key) ? 'object' : 'anywhere';
}

/** Keys of lists, of RGDs and of ResourceSets below which objects occur. */
const OBJECTS_IN = ['items', 'template', 'resources'];

/**
 * Returns the number of steps of a path to something that a Secret contains, the last one into it; `undefined` if the
 * path leads elsewhere. `root` is a document or an object, or anything that contains Secrets, such as an RGD.
 */
export function stepsToSecret(root: Value, path: Path): number | undefined {
  let value: Value | undefined = root;
  let position: ObjectContext = 'object';
  for (let at = 0; at < path.length; at += 1) {
    const step = path[at] as string | number;
    const map: ValueMap | undefined = isMap(value) ? value : undefined;
    const kind = kindOf(map);
    if (map !== undefined && maybeSecret(kind, (key) => Object.hasOwn(map, key), position)) {
      if (isPlainField(path.slice(at))) return undefined;
      return path[at] === 'metadata' ? at + 2 : at + 1;
    }
    position = contextOf({ kind, position }, step);
    value = getAt(value, [step]);
  }
  return undefined;
}

function kindOf(map: ValueMap | undefined): string | undefined {
  const kind = get(map, 'kind');
  return typeof kind === 'string' ? kind : undefined;
}

/** Returns the public part of a path into the content of a Secret: the field, and the name of a value. */
export function shownSteps(root: Value, path: Path, steps: number): Path {
  const field = path[steps - 1];
  if (typeof field !== 'string' || !hasNamedValues(field)) return path.slice(0, steps - 1);
  const name = path[steps];
  const isName = typeof name === 'number' || isNameOfValue(getAt(root, path.slice(0, steps + 1)));
  return path.slice(0, isName ? steps + 1 : steps);
}

const isCopyOfSecret = (key: string, value: Value): boolean =>
  key === LAST_APPLIED && typeof value === 'string' && mentionsSecret(value);

/** Reports whether a text of unknown content may contain a Secret: it mentions one, or may hide it. */
export const mentionsSecret = (text: string): boolean => /secret|stringData|\\[uxU]/i.test(text);

/** Returns the Secrets in a template, including the template itself. */
export function writtenSecrets(value: Value, position: ObjectContext = 'anywhere'): Secrecy {
  if (Array.isArray(value)) return membersOf(anyOf(value.map((item) => writtenSecrets(item, position))));
  if (!isMap(value)) return false;
  const kind = kindOf(value);
  if (maybeSecret(kind, (key) => Object.hasOwn(value, key), position)) return SECRET;
  const keys = Object.keys(value);
  let fields: Map<string, Secrecy> | undefined;
  for (const key of keys) {
    const one = value[key] as Value;
    const secrecy = isCopyOfSecret(key, one) || writtenSecrets(one, contextOf({ kind, position }, key));
    if (secrecy === false) continue;
    fields ??= new Map(keys.map((other) => [other, false]));
    fields.set(key, secrecy);
  }
  return fields === undefined ? false : { fields, others: false };
}
