import { groupVersionKind, isKubeObject, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { isMap, mapItems, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { anyOf, fieldsOf, membersOf, type Secrecy, within } from '../../core/redaction/index.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { otherItems } from '../diff/index.ts';
import { type Reviewed, reviewAlone } from '../review/index.ts';

/** Parses objects with only the relevant fields, or returns their error. */
export function readPartial(value: Value): KubeObject[] | { fault: string } {
  if (!Array.isArray(value)) return { fault: 'expected must be a list of objects' };
  const objects = value.filter((one): one is KubeObject => isKubeObject(one) && nameOf(one) !== '');
  return objects.length === value.length
    ? objects
    : { fault: 'each item of expected needs apiVersion, kind and metadata.name' };
}

/** Returns both sides of the comparison of partial objects: the expectation, and that part of the rendered objects. */
export function compareParts(
  partial: readonly KubeObject[],
  actual: readonly Reviewed[],
): { expected: Reviewed[]; found: Reviewed[] } {
  const expected: Reviewed[] = [];
  const found: Reviewed[] = [];
  for (const part of partial) {
    const match = actual.find(({ object }) => isVersionOf(part, object));
    if (match === undefined) {
      expected.push(reviewAlone(part));
      continue;
    }
    // Its properties are computed when they are read.
    const { object, place, nameless, named, schema } = match;
    const { apiVersion, kind } = object;
    const namespace = namespaceOf(object);
    const identity = { name: nameOf(object), ...(namespace !== '' && { namespace }) };
    const metadata = { ...(isMap(part.metadata) ? part.metadata : {}), ...identity };
    const whole: KubeObject = { ...part, apiVersion, kind, metadata };
    const known = { place, nameless, named, schema, secrecy: spread(match.secrecy, object) };
    expected.push({ ...known, object: withoutNulls(whole) as KubeObject });
    found.push({ ...known, object: partOf(object, whole, schema) as KubeObject });
  }
  return { expected, found };
}

/** In a list whose items may move, any item is as secret as the most secret one. */
function spread(secrecy: Secrecy, value: Value): Secrecy {
  if (typeof secrecy === 'boolean') return secrecy;
  if (Array.isArray(value)) {
    return membersOf(anyOf(value.map((item, index) => spread(within(secrecy, [index]), item))));
  }
  if (!isMap(value)) return secrecy;
  const fields = Object.entries(value).map(([key, one]) => [key, spread(within(secrecy, [key]), one)]);
  return fieldsOf({ ...Object.fromEntries([...secrecy.fields]), ...Object.fromEntries(fields) }, secrecy.others);
}

function isVersionOf(part: KubeObject, object: KubeObject): boolean {
  const [wanted, given] = [groupVersionKind(part), groupVersionKind(object)];
  if (wanted.kind !== given.kind || wanted.group !== given.group || nameOf(part) !== nameOf(object)) return false;
  return namespaceOf(part) === '' || namespaceOf(part) === namespaceOf(object);
}

/** Returns the part of a value that another one names. A field that is null there must be absent. */
function partOf(value: Value, named: Value, schema: Schema | undefined): Value {
  if (isMap(value) && isMap(named)) {
    const part: ValueMap = {};
    for (const key of Object.keys(named)) {
      if (!Object.hasOwn(value, key)) continue;
      setKey(part, key, partOf(value[key] as Value, named[key] as Value, memberSchema(schema, key)));
    }
    return part;
  }
  if (!Array.isArray(value) || !Array.isArray(named)) return value;
  const others = otherItems(named, value, schema);
  // Items without merge keys must be the whole list.
  if (others === undefined) return value;
  return named.flatMap((item, index) => {
    const other = others[index];
    return other === undefined ? [] : [partOf(other, item, schema?.items)];
  });
}

const withoutNulls = (value: Value): Value =>
  mapItems(value, (one, key) => (one === null && typeof key === 'string' ? undefined : withoutNulls(one)));
