import { phrase } from '../../../core/diagnostics/index.ts';
import { get, isMap, listAt, mapOf, type Path, type Value, type ValueMap } from '../../../core/model/value.ts';
import { holds } from './checks.ts';
import { type Checks, isEmpty, isSet, missing, type Place, type Rule, refuse } from './rule.ts';

/**
 * Structural schemas of CRDs (k8s.io/apiextensions-apiserver: pkg/apis/apiextensions/validation,
 * ValidateCustomResourceDefinitionOpenAPISchema, and pkg/apiserver/schema, ValidateStructural). Defaults, patterns and
 * the rules in `x-kubernetes-validations` are not checked.
 */

const mapAt = (map: Value | undefined, key: string): ValueMap | undefined => {
  const value = get(map, key);
  return isMap(value) ? value : undefined;
};

/** Checks the keys of a list of type map against the properties of its items. */
const mapKeys: Rule = (keys, place, schema) => {
  const items = mapAt(schema, 'items');
  if (get(schema, 'x-kubernetes-list-type') !== 'map' || items?.type !== 'object' || !Array.isArray(keys)) return;
  const at = (name: string, keyword: string): string[] => ['properties', name, keyword];
  const { path } = place;
  const step = path.pop() as string;
  for (const [index, key] of keys.entries()) {
    const name = String(key);
    const property = mapAt(items.properties, name);
    if (property === undefined) refuse(place, phrase`is not a property of the items`, [step, index]);
    else if (keys.indexOf(key) !== index) refuse(place, phrase`Duplicate value`, [step, index]);
    if (property === undefined) continue;
    path.push('items');
    if (property.type === 'array' || property.type === 'object')
      refuse(place, phrase`must be a scalar type, as a key of a list of type map`, at(name, 'type'));
    if (!listAt(items, 'required').includes(key) && !isSet(property.default))
      missing(place, phrase`a key of a list of type map is required or has a default`, at(name, 'default'));
    if (property.nullable === true) refuse(place, phrase`must not be true for a key of a list`, at(name, 'nullable'));
    path.pop();
  }
  path.push(step);
};

/** `anyOf: [{type: integer}, {type: string}]` says what `x-kubernetes-int-or-string` means. */
function isIntOrString(value: Value | undefined): boolean {
  const isOnly = (one: Value | undefined, type: string): boolean =>
    isMap(one) &&
    one.type === type &&
    Object.keys(one).every((key) => key === 'type' || isEmpty(one[key]) || one[key] === false);
  return Array.isArray(value) && value.length === 2 && isOnly(value[0], 'integer') && isOnly(value[1], 'string');
}

/** Checks `allOf`, `anyOf`, `oneOf` and `not`, which may describe only fields that `owner` declares. */
function checkJunctors(schema: ValueMap, owner: ValueMap, place: Place, allowsAnyOf: boolean): void {
  if (schema !== owner) place.named('Junctor')?.(schema, place, null);
  const below = (value: Value | undefined, declared: ValueMap, path: Path, isFirst = false): void => {
    if (!isMap(value)) return;
    for (const step of path) place.path.push(step);
    checkJunctors(value, declared, place, isFirst);
    place.path.length -= path.length;
  };
  for (const junctor of ['allOf', 'anyOf', 'oneOf']) {
    if (junctor === 'anyOf' && allowsAnyOf && isIntOrString(schema.anyOf)) continue;
    for (const [index, item] of listAt(schema, junctor).entries())
      below(item, owner, [junctor, index], junctor === 'allOf' && index === 0 && allowsAnyOf);
  }
  below(schema.not, owner, ['not']);
  if (schema === owner) return;
  for (const [key, property] of Object.entries(mapOf(schema.properties))) {
    const declared = mapAt(owner.properties, key);
    if (key === 'metadata') refuse(place, phrase`must not be set in a structural schema`, ['properties', key]);
    else if (declared === undefined)
      refuse(place, phrase`is declared here only: declare it in the schema around it too`, ['properties', key]);
    else below(property, declared, ['properties', key]);
  }
  const items = mapAt(owner, 'items');
  if (items !== undefined) below(schema.items, items, ['items']);
  else if (isMap(schema.items))
    refuse(place, phrase`are declared here only: declare them in the schema around it too`, 'items');
}

export const structural: Checks = {
  junctors: () => (schema, place) => {
    if (isMap(schema)) checkJunctors(schema, schema, place, true);
  },
  mapKeys: () => mapKeys,
  onlyWithoutProperties: () =>
    holds((more, schema) => {
      const isUsed = isMap(more) || more === false;
      return !isUsed || Object.keys(mapOf(get(schema, 'properties'))).length === 0;
    }, phrase`must not be used together with properties`),
};
