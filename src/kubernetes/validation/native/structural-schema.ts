import { phrase } from '../../../core/diagnostics/index.ts';
import { isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import {
  at,
  eachValue,
  isEmpty,
  isSet,
  itemsAt,
  map,
  missing,
  oneOf,
  type Place,
  type Rule,
  refuse,
  textAt,
} from './rule.ts';

/**
 * Structural schemas of CRDs (k8s.io/apiextensions-apiserver: pkg/apis/apiextensions/validation,
 * ValidateCustomResourceDefinitionOpenAPISchema, and pkg/apiserver/schema, ValidateStructural). Defaults, patterns and
 * the rules in `x-kubernetes-validations` are not checked.
 */

type Level = 'root' | 'item' | 'field';

const schemaType = oneOf('array', 'boolean', 'integer', 'number', 'object', 'string');
const UNSUPPORTED = ['id', '$schema', '$ref', 'additionalItems', 'dependencies'];
const UNSUPPORTED_MAPS = ['patternProperties', 'definitions'];
const META_FIELDS = ['apiVersion', 'kind', 'metadata'];
const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_TYPE = 'x-kubernetes-map-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';
const RULES = 'x-kubernetes-validations';

/** The schema of a version, without what lies below. */
export const rootSchema = (hasStatus: boolean): Rule =>
  map((schema, place) => {
    if (schema.nullable === true) refuse(place, phrase`must not be true at the root`, 'nullable');
    if (hasStatus) checkRootWithStatus(schema, place);
    checkStructural(schema, 'root', place);
  });

const ROOT_FIELDS = new Set(
  (
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    `maxItems minItems uniqueItems multipleOf required items properties externalDocs example ${PRESERVE} ${RULES}`
  ).split(' '),
);

function checkRootWithStatus(schema: ValueMap, place: Place): void {
  for (const key of Object.keys(schema)) {
    if (!ROOT_FIELDS.has(key) && isGiven(schema, key))
      refuse(place, phrase`must not be used at the root if the status subresource is enabled`, key);
  }
}

const propertiesOf = ({ properties }: ValueMap): ValueMap => (isMap(properties) ? properties : {});

function checkStructural(schema: ValueMap, level: Level, place: Place): void {
  checkKeywords(schema, place);
  checkType(schema, level, place);
  checkExtensions(schema, place);
  checkList(schema, place);
  if (level === 'root' || schema[EMBEDDED] === true) checkMetadata(schema, level, place);
  at(place, 'properties', schema.properties, eachValue(structural('field')));
  at(place, 'items', schema.items, structural('item'));
  at(place, 'additionalProperties', schema.additionalProperties, structural('field'));
  if ((level === 'root' || schema[EMBEDDED] === true) && isSet(schema, 'additionalProperties'))
    refuse(place, phrase`must not be used at the root, or in an embedded resource`, 'additionalProperties');
  checkJunctors(schema, schema, place);
}

const structural = (level: Level): Rule => map((schema, place) => checkStructural(schema, level, place));

/** Checks what is rejected wherever a schema is. */
function checkKeywords(schema: ValueMap, place: Place): void {
  if (textAt(schema, 'type') !== '') at(place, 'type', schema.type, schemaType);
  for (const key of UNSUPPORTED)
    if (isSet(schema, key) && (schema[key] !== '' || key === '$ref')) refuse(place, phrase`is not supported`, key);
  for (const key of UNSUPPORTED_MAPS) {
    const value = schema[key];
    if (isMap(value) && Object.keys(value).length > 0) refuse(place, phrase`is not supported`, key);
  }
  if (schema.uniqueItems === true) refuse(place, phrase`must not be true`, 'uniqueItems');
  if (itemsAt(schema, 'items').length > 0) refuse(place, phrase`must be a schema, not a list`, 'items');
  const { additionalProperties: more } = schema;
  if ((isMap(more) || more === false) && Object.keys(propertiesOf(schema)).length > 0)
    refuse(place, phrase`must not be used together with properties`, 'additionalProperties');
}

function checkType(schema: ValueMap, level: Level, place: Place): void {
  const type = textAt(schema, 'type');
  if (type === 'array' && !isMap(schema.items)) missing(place, phrase`is required for an array`, 'items');
  if (schema[EMBEDDED] === true) {
    if (type !== 'object') refuse(place, phrase`must be object for an embedded resource`, 'type');
  } else if (type === '' && schema[INT_OR_STRING] !== true && schema[PRESERVE] !== true) {
    missing(place, phrase`is required, unless the field is an int or a string or keeps unknown fields`, 'type');
  }
  if (level === 'root' && type !== '' && type !== 'object') refuse(place, phrase`must be object at the root`, 'type');
}

function checkExtensions(schema: ValueMap, place: Place): void {
  const type = textAt(schema, 'type');
  if (schema[PRESERVE] === false) refuse(place, phrase`must be true or left out`, PRESERVE);
  for (const key of [PRESERVE, EMBEDDED]) {
    if (schema[INT_OR_STRING] === true && schema[key] === true)
      refuse(place, phrase`must not be true for an int or a string`, key);
  }
  if (schema[EMBEDDED] === true && schema[PRESERVE] !== true && Object.keys(propertiesOf(schema)).length === 0)
    missing(place, phrase`is required for an embedded resource that keeps no unknown fields`, 'properties');
  if (isSet(schema, MAP_TYPE)) {
    at(place, MAP_TYPE, schema[MAP_TYPE], oneOf('atomic', 'granular'));
    if (type !== 'object') refuse(place, phrase`must be object with ${MAP_TYPE}`, 'type');
  }
}

function checkList(schema: ValueMap, place: Place): void {
  const listType = schema[LIST_TYPE];
  const keys = itemsAt(schema, MAP_KEYS);
  if (keys.length > 0 && listType !== 'map') refuse(place, phrase`must be map with ${MAP_KEYS}`, LIST_TYPE);
  if (!isSet(schema, LIST_TYPE)) return;
  at(place, LIST_TYPE, listType, oneOf('atomic', 'set', 'map'));
  if (textAt(schema, 'type') !== 'array') refuse(place, phrase`must be array with ${LIST_TYPE}`, 'type');
  const { items } = schema;
  if (!isMap(items) || (listType !== 'set' && listType !== 'map')) return;
  if (items.nullable === true) refuse(place, phrase`must not be true in a ${listType}`, 'items', 'nullable');
  if (listType === 'set') checkSet(items, place);
  else checkMapList(items, keys, place);
}

function checkSet(items: ValueMap, place: Place): void {
  const message = phrase`must be atomic in a set`;
  if (items.type === 'array' && isSet(items, LIST_TYPE) && items[LIST_TYPE] !== 'atomic')
    refuse(place, message, 'items', LIST_TYPE);
  if (items.type === 'object' && items[MAP_TYPE] !== 'atomic') refuse(place, message, 'items', MAP_TYPE);
}

function checkMapList(items: ValueMap, keys: readonly Value[], place: Place): void {
  if (keys.length === 0) missing(place, phrase`is required for a list of type map`, MAP_KEYS);
  if (items.type !== 'object') {
    refuse(place, phrase`must be object in a list of type map`, 'items', 'type');
    return;
  }
  const properties = propertiesOf(items);
  const required = itemsAt(items, 'required');
  for (const [index, key] of keys.entries()) {
    const property = typeof key === 'string' ? mapIn(properties, key) : undefined;
    if (property === undefined) {
      refuse(place, phrase`is not a property of the items`, MAP_KEYS, index);
      continue;
    }
    const name = String(key);
    if (keys.indexOf(key) !== index) refuse(place, phrase`is a duplicate of an earlier key`, MAP_KEYS, index);
    if (property.type === 'array' || property.type === 'object')
      refuse(place, phrase`must be a scalar type, as a key of a list of type map`, 'items', 'properties', name, 'type');
    if (!required.includes(key) && !isSet(property, 'default'))
      missing(
        place,
        phrase`is required: a key of a list of type map is required or has a default`,
        'items',
        'properties',
        name,
        'default',
      );
    if (property.nullable === true)
      refuse(place, phrase`must not be true for a key of a list`, 'items', 'properties', name, 'nullable');
  }
}

const METADATA_FIELDS = new Set(['type', 'properties', 'default', 'externalDocs', 'example', '$schema']);

function checkMetadata(schema: ValueMap, level: Level, place: Place): void {
  const properties = propertiesOf(schema);
  for (const key of META_FIELDS.filter((name) => Object.hasOwn(properties, name))) {
    const property = properties[key];
    if (!isMap(property)) continue;
    const type = key === 'metadata' ? 'object' : 'string';
    if (property.type !== type) refuse(place, phrase`must be ${type}`, 'properties', key, 'type');
    if (level === 'root' && isSet(property, 'default'))
      refuse(place, phrase`must not be used in ${key} at the root`, 'properties', key, 'default');
    if (level === 'root' && key === 'metadata')
      at(place, 'properties', property, (_, below) => at(below, key, property, rootMetadata));
  }
}

const rootMetadata = map((metadata, place) => {
  for (const key of Object.keys(metadata)) {
    if (!METADATA_FIELDS.has(key) && isGiven(metadata, key))
      refuse(place, phrase`must be left out in metadata at the root`, key);
  }
  for (const name of Object.keys(propertiesOf(metadata))) {
    if (name !== 'name' && name !== 'generateName')
      refuse(place, phrase`must not be described: only name and generateName are`, 'properties', name);
  }
});

const FORBIDDEN_WITHIN = ['type', 'title', 'description', 'default', 'additionalProperties', LIST_TYPE, MAP_TYPE];
const FALSE_WITHIN = ['nullable', PRESERVE, EMBEDDED, INT_OR_STRING];
const EMPTY_WITHIN = [MAP_KEYS, RULES];

/** Checks `allOf`, `anyOf`, `oneOf` and `not`, which may describe only fields that `owner` declares. */
function checkJunctors(schema: ValueMap, owner: ValueMap, place: Place, allowsAnyOf = true): void {
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (junctor === 'anyOf' && allowsAnyOf && isIntOrString(schema.anyOf)) continue;
    for (const [index, item] of itemsAt(schema, junctor).entries()) {
      const isFirst = junctor === 'allOf' && index === 0 && allowsAnyOf;
      at(place, junctor, item, (_, within) => at(within, index, item, nested(owner, isFirst)));
    }
  }
  at(place, 'not', schema.not, nested(owner, false));
}

/** `anyOf: [{type: integer}, {type: string}]` says what `x-kubernetes-int-or-string` means. */
function isIntOrString(value: Value | undefined): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const isOnly = (one: Value, type: string): boolean =>
    isMap(one) && one.type === type && Object.keys(one).every((key) => key === 'type' || !isGiven(one, key));
  return isOnly(value[0] as Value, 'integer') && isOnly(value[1] as Value, 'string');
}

/** Reports whether a field has another value than Go's default. */
const isGiven = (schema: ValueMap, key: string): boolean => !isEmpty(schema[key]) && schema[key] !== false;

const nested = (owner: ValueMap, allowsAnyOf: boolean): Rule =>
  map((schema, place) => {
    checkKeywords(schema, place);
    for (const key of FORBIDDEN_WITHIN)
      if (isSet(schema, key) && schema[key] !== '') refuse(place, phrase`must be left out in a structural schema`, key);
    for (const key of FALSE_WITHIN)
      if (schema[key] === true) refuse(place, phrase`must not be true in a structural schema`, key);
    for (const key of EMPTY_WITHIN)
      if (itemsAt(schema, key).length > 0) refuse(place, phrase`must be left out in a structural schema`, key);
    const properties = propertiesOf(schema);
    for (const key of Object.keys(properties)) {
      const declared = mapIn(propertiesOf(owner), key);
      if (key === 'metadata') refuse(place, phrase`must be left out in a structural schema`, 'properties', key);
      else if (declared === undefined)
        refuse(place, phrase`is declared here only: declare it in the schema around it too`, 'properties', key);
      else at(place, 'properties', properties, (_, below) => at(below, key, properties[key], nested(declared, false)));
    }
    const items = mapIn(owner, 'items');
    if (items !== undefined) at(place, 'items', schema.items, nested(items, false));
    else if (isMap(schema.items))
      refuse(place, phrase`are declared here only: declare them in the schema around it too`, 'items');
    checkJunctors(schema, owner, place, allowsAnyOf);
  });

function mapIn(map: ValueMap, key: string): ValueMap | undefined {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isMap(value) ? value : undefined;
}
