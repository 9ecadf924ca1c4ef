import { phrase } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { isMap, mapItems, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { isInt64 } from '../../core/text/go-numbers.ts';
import { objectMetaSchema, type Schema } from '../schema/index.ts';
import { isCheckedFormat } from './formats/index.ts';
import { checkEmbedded, META_FIELDS, withoutEmpty } from './native/index.ts';
import { isQuantity, QUANTITY } from './native/resources.ts';
import { asDecoded, enumCheck, isInteger, numberCheck, textCheck, typeFault, typeOf } from './scalars.ts';
import { breaks, type Check, checkAt, faultAt, missingField, unknownField, type Visit } from './visit.ts';

/**
 * A schema of an instance, of a CRD of rendered objects, or of a Go type of Kubernetes. The API server fills in
 * defaults of CRDs, drops nulls that are not nullable, and prunes. For a Go type a null and an empty text are absent.
 */
export type Dialect = 'instance' | 'custom' | 'typed';

const compiled: Readonly<Record<Dialect, WeakMap<Schema, Check>>> = {
  instance: new WeakMap(),
  custom: new WeakMap(),
  typed: new WeakMap(),
};

/**
 * Compiles a schema, once, into a function that returns a checked copy of a value: defaults filled in, nulls dropped,
 * unknown fields removed, numbers of instances in their own type.
 */
export const compileCheck = (schema: Schema, dialect: Dialect = 'instance'): Check =>
  getOrCompute(compiled[dialect], schema, () => compile(schema, dialect));

const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true };
const NOTHING: Schema = {};

const keepsUnknown = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Copies content without a schema. Integers beyond int64 are doubles in Kubernetes. */
const untyped: Check = (value, visit) => {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (Array.isArray(value)) return value.map((item, index) => checkAt(untyped, index, item, visit));
  if (!isMap(value)) return value;
  const copy: ValueMap = {};
  for (const key of Object.keys(value)) setKey(copy, key, checkAt(untyped, key, value[key] as Value, visit));
  return copy;
};

function compile(schema: Schema, dialect: Dialect): Check {
  const { type } = schema;
  if (dialect === 'instance' && type === undefined) return untyped;
  const ofText = textCheck(schema, dialect === 'typed');
  const ofNumber = numberCheck(schema);
  const inEnum = enumCheck(schema, dialect === 'typed');
  const fits = alternativesCheck(schema, dialect);
  const isQuantityField = dialect === 'typed' && isQuantityType(schema);
  const isDouble = dialect === 'instance' && type === 'number';
  let ofList: ((list: readonly Value[], visit: Visit) => Value) | undefined;
  let ofMap: MapCheck | undefined;
  const below = (value: Value, visit: Visit): Value => {
    if (typeof value === 'string') {
      ofText?.(value, visit);
      return value;
    }
    if (typeof value === 'bigint' || typeof value === 'number') {
      ofNumber?.(value, visit);
      // A number that no double represents is stored as written.
      return isDouble && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
    if (Array.isArray(value)) {
      ofList ??= listCheck(schema, dialect);
      return ofList(value, visit);
    }
    if (!isMap(value)) return value;
    ofMap ??= new MapCheck(schema, dialect);
    return ofMap.check(value, visit);
  };
  return (given, visit) => {
    const value = type === 'integer' && Number.isSafeInteger(given) ? BigInt(given as number) : given;
    if (!hasType(schema, value)) {
      typeFault(wantedType(schema), value, visit);
      return value;
    }
    const isPlain = value === null || (isQuantityField && !isQuantity(value));
    if (isPlain && value !== null) breaks(visit, QUANTITY);
    const checked = isPlain ? value : below(value, visit);
    inEnum?.(checked, visit);
    if (!isPlain) fits?.(checked, visit);
    return checked;
  };
}

/** In Kubernetes' own table only quantities are strings or numbers. */
const isQuantityType = ({ type, oneOf }: Schema): boolean =>
  type === undefined && oneOf?.length === 2 && oneOf[0]?.type === 'string' && oneOf[1]?.type === 'number';

function hasType(schema: Schema, value: Value): boolean {
  const { type } = schema;
  const actual = typeOf(value);
  if (type === actual) return true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  if (value === null) return schema.nullable === true || (type === undefined && !isIntOrString);
  if (isIntOrString) return typeof value === 'string' || isInteger(value);
  if (type === undefined) return true;
  if (type === 'number') return actual === 'integer' && Number.isFinite(Number(value));
  if (type === 'integer') return isInteger(value);
  // The API server checks only the format if a list is given for a string (kube-openapi, validate/type.go).
  return type === 'string' && actual === 'array' && isCheckedFormat(schema.format ?? '');
}

const wantedType = (schema: Schema): string =>
  schema['x-kubernetes-int-or-string'] === true ? 'integer or string' : (schema.type ?? 'object');

/** Checks only whether an alternative matches, as an API server does. */
function alternativesCheck(schema: Schema, dialect: Dialect): ((value: Value, visit: Visit) => void) | undefined {
  const { allOf, anyOf, oneOf, not } = schema;
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined) return undefined;
  return (value, visit) => {
    const fits = (one: Schema): boolean => fitsAlternative(one, value, visit, dialect);
    if (allOf?.every(fits) === false) breaks(visit, 'must validate all the schemas (allOf)');
    if (anyOf !== undefined && anyOf.length > 0 && !anyOf.some(fits))
      breaks(visit, 'must validate at least one schema (anyOf)');
    const found = oneOf?.filter(fits).length ?? 1;
    if (oneOf !== undefined && oneOf.length > 0 && found !== 1)
      breaks(visit, `must validate one and only one schema (oneOf). Found ${found} valid alternatives`);
    if (not !== undefined && fits(not)) breaks(visit, 'must not validate the schema (not)');
  };
}

/** Reports whether a schema is only a type, as both alternatives of quantities, integers and texts are. */
const isScalarType = (schema: Schema): boolean =>
  schema.type !== undefined && !/array|object/.test(schema.type) && Object.keys(schema).length === 1;

/** The maximum nesting of alternatives: references in schemas may be cyclic. */
const MAX_ALTERNATIVES = 200;

/** A value that nests too deeply matches, and so does a recursive question. */
function fitsAlternative(schema: Schema, value: Value, visit: Visit, dialect: Dialect): boolean {
  if (isScalarType(schema)) return hasType(schema, value);
  const depth = visit.alternatives ?? 0;
  if (depth >= MAX_ALTERNATIVES) return true;
  visit.fitting ??= new Map();
  const known = visit.fitting.get(schema) ?? new Map<Value, boolean>();
  visit.fitting.set(schema, known);
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, true);
  const inner: Visit = { ...visit, path: [], problems: [], alternatives: depth + 1, bare: true, isOpen: true };
  compileCheck(schema, dialect)(value, inner);
  const fits = inner.problems.length === 0;
  known.set(value, fits);
  return fits;
}

function listCheck(schema: Schema, dialect: Dialect): (list: readonly Value[], visit: Visit) => Value {
  const { minItems, maxItems, items } = schema;
  const duplicates = dialect === 'typed' ? undefined : duplicateCheck(schema);
  const missing = items?.nullable === true || items?.default === undefined ? null : asDecoded(items.default);
  const plain = items ?? (dialect === 'custom' ? NOTHING : ANYTHING);
  // A schema that keeps unknown fields does so for itself and its lists.
  const kept = dialect === 'custom' && keepsUnknown(schema) ? { ...plain, ...ANYTHING } : plain;
  const item = items === undefined && kept !== NOTHING ? untyped : compileCheck(kept, dialect);
  return (list, visit) => {
    const before = visit.problems.length;
    // A null item of a type that is not nullable gets the default of the type (apiextensions Default).
    const checked = list.map((one, index) =>
      checkAt(item, index, one === null && dialect !== 'typed' && visit.bare !== true ? missing : one, visit),
    );
    if (minItems !== undefined && checked.length < minItems) breaks(visit, `should have at least ${minItems} items`);
    if (maxItems !== undefined && checked.length > maxItems) breaks(visit, `should have at most ${maxItems} items`);
    if (visit.problems.length === before) duplicates?.(checked, visit);
    return checked;
  };
}

/** Checks sets and keyed lists for duplicates (apiextensions listtype.ValidateListSetsAndMaps). */
function duplicateCheck(schema: Schema): ((list: readonly Value[], visit: Visit) => void) | undefined {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = listType === 'set' ? (item: Value) => item : (item: Value) => keyOf(item, keys);
  return (list, visit) => {
    const seen = new Map<string, number>();
    list.forEach((item, index) => {
      const text = canonical(identity(item));
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      if (times === 2) faultAt(visit, index, 'duplicate', phrase`Duplicate value: ${{ value: clipped(text, 200) }}`);
    });
  };
}

/** Distinguishes a missing key from a null one. */
const keyOf = (item: Value, keys: readonly string[]): Value =>
  isMap(item) ? mapItems(item, (value, key) => (keys.includes(String(key)) ? value : undefined)) : {};

/** Returns JSON text that is the same for equal values. */
function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isMap(value)) {
    const entries = Object.keys(value).sort();
    return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Value)}`).join(',')}}`;
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** A field or the values of a map. */
interface Member {
  schema: Schema;
  check?: Check;
  fallback: Value | undefined;
}

const memberOf = (schema: Schema): Member => ({
  schema,
  fallback: schema.default === undefined ? undefined : asDecoded(schema.default),
});

/** Checks the members of a map. A default is filled in first, and then checked like any other value. */
class MapCheck {
  readonly #schema: Schema;
  readonly #dialect: Dialect;
  readonly #members: ReadonlyMap<string, Member>;
  /** The values of keys that are no fields. */
  readonly #others: Member | undefined;
  /** Whether other fields are kept. */
  readonly #isOpen: boolean;
  readonly #defaulted: readonly (readonly [string, Member])[];
  readonly #required: readonly string[];
  readonly #isEmbedded: boolean;

  constructor(schema: Schema, dialect: Dialect) {
    const { properties, additionalProperties: extra } = schema;
    const isAny = extra === true && dialect !== 'custom';
    const isUndescribed = dialect === 'typed' && properties === undefined && extra === undefined;
    this.#schema = schema;
    this.#dialect = dialect;
    this.#members = new Map(Object.entries(properties ?? {}).map(([name, one]) => [name, memberOf(one)]));
    if (typeof extra === 'object') this.#others = memberOf(extra);
    else if (extra === true && !isAny) this.#others = memberOf(NOTHING);
    this.#isOpen = keepsUnknown(schema) || isAny || isUndescribed;
    this.#defaulted =
      dialect === 'typed' ? [] : [...this.#members].filter(([, { fallback }]) => fallback !== undefined);
    this.#required = [...new Set(schema.required ?? [])];
    this.#isEmbedded = dialect === 'custom' && schema['x-kubernetes-embedded-resource'] === true;
  }

  check(map: ValueMap, visit: Visit): Value {
    const checked: ValueMap = {};
    for (const key of Object.keys(map)) this.#checkKey(key, map[key] as Value, checked, visit);
    if (visit.bare !== true) this.#addDefaults(checked, visit);
    this.#checkSize(checked, visit);
    this.#checkRequired(checked, visit);
    if (this.#isEmbedded && visit.alternatives === undefined)
      checkEmbedded(map, checked, visit, compileCheck(objectMetaSchema, 'typed'));
    return checked;
  }

  #checkKey(key: string, given: Value, checked: ValueMap, visit: Visit): void {
    const member = this.#members.get(key) ?? this.#others;
    if (this.#isEmbedded && META_FIELDS.includes(key)) this.#checkMeta(key, given, checked, visit);
    else if (member !== undefined) this.#checkMember(member, key, given, checked, visit);
    else if (this.#isOpen || visit.isOpen === true) setKey(checked, key, checkAt(untyped, key, given, visit));
    else unknownField(key, this.#schema, visit);
  }

  /** No null is kept in a Go type; in a CRD one that is not nullable gets the default, and without one it is dropped. */
  #checkMember(member: Member, key: string, given: Value, checked: ValueMap, visit: Visit): void {
    const isKept =
      given !== null || visit.bare === true || member.schema.nullable === true || member.schema === NOTHING;
    if (isKept) this.#put(member, key, given, checked, visit);
    else if (this.#dialect !== 'typed') this.#putOpen(member, key, member.fallback, checked, visit);
  }

  /** Something else checks which fields metadata has. */
  #checkMeta(key: string, given: Value, checked: ValueMap, visit: Visit): void {
    const member = this.#members.get(key) ?? memberOf(NOTHING);
    const isDropped = given === null && member.schema !== NOTHING && member.schema.nullable !== true;
    if (!isDropped) this.#putOpen(member, key, key === 'metadata' ? withoutEmpty(given) : given, checked, visit);
  }

  #addDefaults(checked: ValueMap, visit: Visit): void {
    for (const [key, member] of this.#defaulted) {
      if (!Object.hasOwn(checked, key)) this.#putOpen(member, key, member.fallback, checked, visit);
    }
  }

  #checkSize(checked: ValueMap, visit: Visit): void {
    const { minProperties, maxProperties } = this.#schema;
    if (minProperties === undefined && maxProperties === undefined) return;
    const size = Object.keys(checked).length;
    if (minProperties !== undefined && size < minProperties)
      breaks(visit, `should have at least ${minProperties} properties`);
    if (maxProperties !== undefined && size > maxProperties)
      breaks(visit, `should have at most ${maxProperties} properties`);
  }

  #checkRequired(checked: ValueMap, visit: Visit): void {
    // Of a Go type, and of an alternative, a field with a default is not missing.
    const isComplete = this.#dialect === 'typed' || visit.alternatives !== undefined;
    for (const key of this.#required) {
      if (Object.hasOwn(checked, key) || (isComplete && this.#members.get(key)?.fallback !== undefined)) continue;
      missingField(key, this.#schema, visit);
    }
  }

  #put(member: Member, key: string, value: Value | undefined, checked: ValueMap, visit: Visit): void {
    if (value === undefined) return;
    member.check ??= compileCheck(member.schema, this.#dialect);
    setKey(checked, key, checkAt(member.check, key, value, visit));
  }

  /** Fields without a schema are unknown only if they are given. */
  #putOpen(member: Member, key: string, value: Value | undefined, checked: ValueMap, visit: Visit): void {
    const before = visit.isOpen ?? false;
    visit.isOpen = true;
    this.#put(member, key, value, checked, visit);
    visit.isOpen = before;
  }
}
