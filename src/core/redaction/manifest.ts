import { ORDER_ANNOTATIONS } from '../model/keys.ts';
import { get, getAt, isMap, type Path, type Value, type ValueMap } from '../model/value.ts';
import { nearest } from '../text/nearest.ts';
import { anyOf, fieldsOf, membersOf, type Secrecy } from './secrecy.ts';

/** Fields of a Secret that say what it is, not what it keeps. Annotations may hold a copy of the whole object. */
const PLAIN_FIELDS = ['apiVersion', 'kind', 'type', 'immutable'];
const PLAIN_METADATA = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
  'selfLink',
];
/** Maps of a Secret whose keys are names, as `kubectl describe` shows them. */
const NAMED_VALUES = ['data', 'stringData', 'annotations'];

export const hasNamedValues = (field: string): boolean => NAMED_VALUES.includes(field);

/** A key without a value may be the value itself, written in the wrong place. */
export const isNameOfValue = (value: Value | undefined): boolean => value !== undefined && value !== null;

const plain = (fields: readonly string[]): Record<string, Secrecy> =>
  Object.fromEntries(fields.map((field) => [field, false]));

/** What is secret in a Secret: whatever is not known to be no value. */
export const SECRET: Secrecy = fieldsOf(
  {
    ...plain(PLAIN_FIELDS),
    metadata: fieldsOf({ ...plain(PLAIN_METADATA), annotations: fieldsOf(plain(ORDER_ANNOTATIONS), true) }, true),
  },
  true,
);

/** Whether a value of a field of a Secret may be shown. */
export function isPlainField(path: readonly (string | number)[]): boolean {
  const [first, second, third] = path;
  if (first === 'metadata' && second === 'annotations') return ORDER_ANNOTATIONS.includes(String(third));
  if (first === 'metadata') return second === undefined || PLAIN_METADATA.includes(String(second));
  return first === undefined || PLAIN_FIELDS.includes(String(first));
}

/** `Secret` of whatever group, and as people misspell it. */
export const isSecretKind = alike('Secret');
export const isSecretListKind = alike('SecretList');

/** As many kinds as are remembered. */
const MOST_KINDS = 500;

/** Every field of every object asks about one of a few kinds. */
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

/** Holds a copy of its object, which may be a Secret or have one in it. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Whether a text may be a kind. Any other, such as a version in the wrong field, does not say what an object is. */
export const isKindName = (text: string): boolean => /^[A-Z][A-Za-z0-9]*$/.test(text);

/** The position of a map: where only objects occur, among the items of a list of Secrets, or anywhere. */
export type Position = 'object' | 'secret' | 'anywhere';

/**
 * Whether a map is a Secret, or may be one: an object that lost its kind, or whose kind can be none, and has `data`;
 * anything with `stringData`. `kind` is its kind, `undefined` when it has none that is a text.
 */
export function maybeSecret(kind: string | undefined, has: (key: string) => boolean, position: Position): boolean {
  if (has('stringData')) return true;
  if (kind !== undefined && isSecretKind(kind)) return position !== 'anywhere' || !isReference(has);
  if (kind !== undefined && isKindName(kind)) return false;
  return position === 'secret' || (position === 'object' && has('data'));
}

/** A map that names a Secret, as in `certificateRefs`, keeps nothing of it. */
const isReference = (has: (key: string) => boolean): boolean => has('name') && !has('metadata') && !has('data');

/**
 * The position of a member of a map or list at a position. Whatever a list of Secrets holds counts as its items, since
 * the key may be misspelt.
 */
export function positionOf(of: { kind: string | undefined; position: Position }, key: string | number): Position {
  if (typeof key === 'number') return of.position;
  if (of.kind !== undefined && isSecretListKind(of.kind)) return key === 'metadata' ? 'anywhere' : 'secret';
  // In a kustomization.
  if (key === 'secretGenerator') return 'secret';
  return OBJECTS_IN.includes(key) ? 'object' : 'anywhere';
}

/** Keys of lists, of RGDs and of ResourceSets below which objects occur. */
const OBJECTS_IN = ['items', 'template', 'resources'];

/**
 * How many steps of a path lead up to something that a Secret keeps, the last one into it; `undefined` when the path
 * leads to nothing of that kind. `root` is a document or an object, or anything with Secrets in it, such as an RGD.
 */
export function stepsToSecret(root: Value, path: Path): number | undefined {
  let value: Value | undefined = root;
  let position: Position = 'object';
  for (let at = 0; at < path.length; at += 1) {
    const step = path[at] as string | number;
    const map: ValueMap | undefined = isMap(value) ? value : undefined;
    const kind = kindOf(map);
    if (map !== undefined && maybeSecret(kind, (key) => Object.hasOwn(map, key), position)) {
      if (isPlainField(path.slice(at))) return undefined;
      return path[at] === 'metadata' ? at + 2 : at + 1;
    }
    position = positionOf({ kind, position }, step);
    value = getAt(value, [step]);
  }
  return undefined;
}

function kindOf(map: ValueMap | undefined): string | undefined {
  const kind = get(map, 'kind');
  return typeof kind === 'string' ? kind : undefined;
}

/** What may be shown of a path into what a Secret keeps: the field, and the name of a value. */
export function shownSteps(root: Value, path: Path, steps: number): Path {
  const field = path[steps - 1];
  if (typeof field !== 'string' || !hasNamedValues(field)) return path.slice(0, steps - 1);
  const name = path[steps];
  const isName = typeof name === 'number' || isNameOfValue(getAt(root, path.slice(0, steps + 1)));
  return path.slice(0, isName ? steps + 1 : steps);
}

const isCopyOfSecret = (key: string, value: Value): boolean =>
  key === LAST_APPLIED && typeof value === 'string' && mentionsSecret(value);

/** Whether a text of which nobody knows what it is may have a Secret in it: it says so, or hides it. */
export const mentionsSecret = (text: string): boolean => /secret|stringData|\\[uxU]/i.test(text);

/** The Secrets that a template writes out, the template itself among them. */
export function writtenSecrets(value: Value, position: Position = 'anywhere'): Secrecy {
  if (Array.isArray(value)) return membersOf(anyOf(value.map((item) => writtenSecrets(item, position))));
  if (!isMap(value)) return false;
  const kind = kindOf(value);
  if (maybeSecret(kind, (key) => Object.hasOwn(value, key), position)) return SECRET;
  const keys = Object.keys(value);
  let fields: Map<string, Secrecy> | undefined;
  for (const key of keys) {
    const one = value[key] as Value;
    const secrecy = isCopyOfSecret(key, one) || writtenSecrets(one, positionOf({ kind, position }, key));
    if (secrecy === false) continue;
    fields ??= new Map(keys.map((other) => [other, false]));
    fields.set(key, secrecy);
  }
  return fields === undefined ? false : { fields, others: false };
}
