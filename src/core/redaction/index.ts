import { OBJECT_META, ORDER_ANNOTATIONS } from '../model/keys.ts';
import { EACH, type Step } from '../model/read.ts';
import { get, getAt, isMap, mapItems, type Path, type Value, type ValueMap } from '../model/value.ts';
import { nearest } from '../text/nearest.ts';

/** Which parts of a value may come from Secrets. `others` is for keys that `fields` lacks, and for list elements. */
export type Secrecy = boolean | { readonly fields: ReadonlyMap<string, Secrecy>; readonly others: Secrecy };

const NONE: ReadonlyMap<string, Secrecy> = new Map();

/** A list, or a map with any keys, whose members have the same secrecy. */
export const membersOf = (member: Secrecy): Secrecy => (member === false ? false : { fields: NONE, others: member });

export const fieldsOf = (fields: Readonly<Record<string, Secrecy>>, others: Secrecy = false): Secrecy => ({
  fields: new Map(Object.entries(fields)),
  others,
});

/** Returns the secrecy of a value in which only `path` has the given secrecy. */
export function secretAt(path: readonly Step[], secrecy: Secrecy): Secrecy {
  return path.reduceRight<Secrecy>(
    (inner, step) => (typeof step === 'string' ? fieldsOf({ [step]: inner }) : membersOf(inner)),
    secrecy,
  );
}

export function anyOf(all: Iterable<Secrecy>): Secrecy {
  let joined: Secrecy = false;
  for (const one of all) joined = either(joined, one);
  return joined;
}

export function either(a: Secrecy, b: Secrecy): Secrecy {
  if (a === true || b === true) return true;
  if (a === false) return b;
  if (b === false) return a;
  const keys = new Set([...a.fields.keys(), ...b.fields.keys()]);
  const fields = new Map([...keys].map((key) => [key, either(member(a, key), member(b, key))]));
  return { fields, others: either(a.others, b.others) };
}

/** Returns the part at a step; a step to every member returns the union of all members. */
function member(secrecy: Secrecy, step: Step): Secrecy {
  if (typeof secrecy === 'boolean') return secrecy;
  if (step === EACH) return either(anyOf(secrecy.fields.values()), secrecy.others);
  return secrecy.fields.get(String(step)) ?? secrecy.others;
}

export const within = (secrecy: Secrecy, path: readonly Step[]): Secrecy =>
  path.reduce<Secrecy>((at, step) => member(at, step), secrecy);

/** Reports whether the value at `path`, a part of it, or a value that contains it, may be a value of a Secret. */
export const isSecret = (secrecy: Secrecy, path: readonly Step[] = []): boolean => holds(within(secrecy, path));

function holds(secrecy: Secrecy): boolean {
  if (typeof secrecy === 'boolean') return secrecy;
  return holds(secrecy.others) || [...secrecy.fields.values()].some(holds);
}

/** Returns a value with `instead` in the place of every value that may come from a Secret. */
export function withoutSecrets(value: Value, secrecy: Secrecy, instead: string): Value {
  if (typeof secrecy === 'boolean') return secrecy ? instead : value;
  if (typeof value !== 'object' || value === null) return holds(secrecy) ? instead : value;
  return mapItems(value, (item, key) => withoutSecrets(item, member(secrecy, key), instead));
}

/** Fields of a Secret that describe it and contain no values. Annotations may contain a copy of the whole object. */
const PLAIN_FIELDS = ['apiVersion', 'kind', 'type', 'immutable'];
/** With `selector`, by which a reference of an RGD names Secrets. */
const PLAIN_METADATA = [...OBJECT_META.filter((name) => name !== 'annotations'), 'selector'];
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

/** Reports whether a text may be a kind. Any other text does not identify an object. */
export const isKindName = (text: string): boolean => /^[A-Z][A-Za-z0-9]*$/.test(text);

/** The context of a map: where only objects occur, among the items of a list of Secrets, or anywhere. */
export type ObjectContext = 'object' | 'secret' | 'anywhere';

/** Reports whether a map is or may be a Secret: without a valid kind one with `data`, anything with `stringData`. */
export function maybeSecret(kind: string | undefined, has: (key: string) => boolean, position: ObjectContext): boolean {
  if (has('stringData')) return true;
  if (kind !== undefined && isSecretKind(kind)) return position !== 'anywhere' || !isReference(has);
  if (kind !== undefined && isKindName(kind)) return false;
  return position === 'secret' || (position === 'object' && has('data'));
}

/** A map that refers to a Secret, as in `certificateRefs`, contains no values of it. */
const isReference = (has: (key: string) => boolean): boolean => has('name') && !has('metadata') && !has('data');

/** Returns the context of a member. Everything in a list of Secrets counts as an item: the key may be misspelled. */
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

/** Returns the number of steps of a path up to the first one into a value of a Secret; `undefined` if there is none. */
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
