/** Makes an instance smaller, as long as it shows the same. */
import { type InputObject, nameOf } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { withoutValue, withValue } from './fields.ts';
import { generatedInput, NAME, NAMESPACE } from './generate.ts';

interface Shrinking {
  /** Reports whether a smaller instance is accepted, and still shows it. */
  shows: (instance: InputObject) => boolean;
  /** How often it is asked. */
  most: number;
}

/** Returns the smallest instance that is found: without a field, with a shorter list or a shorter text. */
export function shrink(input: InputObject, { shows, most }: Shrinking): InputObject {
  let best = [withName(input, NAME), withName(input)].find(shows) ?? input;
  let left = most - 2;
  for (;;) {
    const next = smallerOf(best).find((one) => {
      left -= 1;
      return left >= 0 && shows(one);
    });
    if (next === undefined) return best;
    best = next;
  }
}

/** Returns an instance in the namespace of one whose name does not matter, with its own name or another one. */
function withName({ object }: InputObject, name = nameOf(object)): InputObject {
  const { metadata } = object;
  const namespace = isMap(metadata) && metadata.namespace !== undefined ? { namespace: NAMESPACE } : {};
  return generatedInput({ ...object, metadata: { name, ...namespace } });
}

/** Returns the smaller instances, the smallest first. */
function smallerOf({ object }: InputObject): InputObject[] {
  const spec = get(object, 'spec') ?? {};
  const smaller = [...pathsIn(spec, [])].flatMap((path): Value[] => [withoutValue(spec, path), ...simpler(spec, path)]);
  return smaller.filter((one) => !equal(one, spec)).map((one) => generatedInput({ ...object, spec: one }));
}

/** Returns the paths of all values, those of whole objects before those of their fields. */
function* pathsIn(value: Value, path: Path): Iterable<Path> {
  const entries: [string | number, Value][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [key] of entries) yield [...path, key];
  for (const [key, inner] of entries) yield* pathsIn(inner, [...path, key]);
}

/** Returns values with a half of a long text. */
function simpler(spec: Value, path: Path): Value[] {
  const text = getAt(spec, path);
  if (typeof text !== 'string' || text.length < 16) return [];
  return [text.slice(0, Math.ceil(text.length / 2)), text.slice(0, -1)].map((short) =>
    withValue(spec, path, short, () => ({})),
  );
}
