// Writes data/kubernetes-minors.json and data/kubernetes-lifecycles.json from the dump of this folder's Go program (stdin).
// README.md describes the notation; src/kubernetes/schema/minors.ts and lifecycles.ts read it.
import { readFileSync, writeFileSync } from 'node:fs';
import { encode, shortName } from '../kubernetes-types/notation.mjs';

const { releases, lifecycles } = JSON.parse(readFileSync(0, 'utf8'));
const newest = JSON.parse(readFileSync(new URL('../../data/kubernetes.json', import.meta.url), 'utf8'));

const minors = Object.keys(releases).sort((a, b) => minorOf(b) - minorOf(a));
const tables = minors.map((minor) => tableOf(releases[minor]));
checkNewest(tables[0]);

const differences = minors
  .slice(1)
  .flatMap((minor, index) => [`# ${minor}`, ...differenceOf(tables[index], tables[index + 1])]);
write('kubernetes-lifecycles', {
  newest: minors[0],
  kinds: [...lifecyclesOf().values()].map(lifecycleLine).sort().join('\n'),
});
write('kubernetes-minors', { text: [...deprecatedFields(), ...differences].join('\n') });

// What a test counts in the tables: the releases themselves have them.
const counts = tables.map(({ kinds, definitions }, index) => ({
  minor: minors[index],
  kinds: kinds.size,
  fields: [...definitions.values()].reduce((sum, { properties = {} }) => sum + Object.keys(properties).length, 0),
}));
write('../test/kubernetes/schema/minors', counts, 2);

function write(name, table, indent = 1) {
  const file = new URL(`../../data/${name}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(table, undefined, indent)}\n`);
}

function minorOf(release) {
  return Number(release.split('.')[1]);
}

/** Returns the kinds of a release and the definitions that they reach, in the notation of data/kubernetes.json. */
function tableOf({ swagger, enums }) {
  const kinds = kindsOf(swagger);
  const definitions = new Map();
  const encodeDefinition = (name) => {
    if (definitions.has(shortName(name))) return;
    definitions.set(shortName(name), undefined);
    const schema = withEnums(withoutDescriptions(swagger.definitions[name]), enums[goType(name)] ?? {});
    definitions.set(shortName(name), encode(schema, encodeDefinition));
  };
  for (const { definition } of kinds.values()) encodeDefinition(definition);
  return { kinds, definitions };
}

/** `io.k8s.api.core.v1.Pod` is k8s.io/api/core/v1.Pod. */
function goType(name) {
  const [, , ...steps] = name.split('.');
  return `k8s.io/${steps.slice(0, -1).join('/')}.${steps.at(-1)}`;
}

function withoutDescriptions(schema) {
  if (schema.$ref !== undefined) return { $ref: schema.$ref.slice('#/definitions/'.length) };
  const { description: _, 'x-kubernetes-group-version-kind': __, ...rest } = schema;
  const result = { ...rest };
  if (rest.properties !== undefined) result.properties = mapValues(rest.properties, withoutDescriptions);
  if (rest.items !== undefined) result.items = withoutDescriptions(rest.items);
  if (typeof rest.additionalProperties === 'object') {
    result.additionalProperties = withoutDescriptions(rest.additionalProperties);
  }
  return result;
}

function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function withEnums(schema, enums) {
  if (schema.properties === undefined) return schema;
  const properties = { ...schema.properties };
  for (const [field, values] of Object.entries(enums)) {
    const property = properties[field];
    if (property === undefined) continue;
    if (property.type === 'string') properties[field] = { ...property, enum: values };
    else if (property.items?.type === 'string') {
      properties[field] = { ...property, items: { ...property.items, enum: values } };
    } else if (property.additionalProperties?.type === 'string') {
      const ofKeys = { ...property.additionalProperties, enum: values };
      properties[field] = { ...property, additionalProperties: ofKeys };
    }
  }
  return { ...schema, properties };
}

/** Lists what can be created or listed: the resources of the paths, without subresources. */
function kindsOf(swagger) {
  const definitionOf = new Map();
  for (const [name, { 'x-kubernetes-group-version-kind': kinds = [] }] of Object.entries(swagger.definitions)) {
    if (kinds.length === 1) definitionOf.set(kindKey(kinds[0]), name);
  }
  const kinds = new Map();
  const path = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?<namespace>namespaces\/\{namespace\}\/)?[^/{}]+$/;
  for (const [written, operations] of Object.entries(swagger.paths)) {
    const match = path.exec(written.replace(/\/$/, ''));
    if (match === null) continue;
    for (const method of ['get', 'post']) {
      const gvk = operations[method]?.['x-kubernetes-group-version-kind'];
      const definition = gvk && definitionOf.get(kindKey(gvk));
      if (definition === undefined) continue;
      const key = kindKey(gvk);
      const namespaced = kinds.get(key)?.namespaced === true || match.groups.namespace !== undefined;
      kinds.set(key, { namespaced, definition });
    }
  }
  return kinds;
}

function kindKey({ group, version, kind }) {
  return `${group || '-'} ${version} ${kind}`;
}

function kindLine(key, { namespaced, definition }) {
  return `${key} ${namespaced ? 'N' : 'C'} ${shortName(definition)}`;
}

/** Definitions whose published form is that of OpenAPI v2 only. */
function isOfV2(name) {
  return [
    'Quantity',
    'IntOrString',
    'JSON',
    'JSONSchemaPropsOrArray',
    'JSONSchemaPropsOrBool',
    'JSONSchemaPropsOrStringArray',
    'RawExtension',
    'FieldsV1',
  ].includes(name.split('.').at(-1));
}

/** The published document and the compiled definitions must be the same, or their differences would be wrong. */
function checkNewest({ kinds, definitions }) {
  const lines = [...kinds].map(([key, kind]) => kindLine(key, kind)).sort();
  const expected = newest.kinds.split('\n').sort();
  const different = lines
    .filter((line) => !expected.includes(line))
    .concat(expected.filter((line) => !lines.includes(line)));
  if (different.length > 0) throw new Error(`kinds differ from data/kubernetes.json:\n${different.join('\n')}`);
  for (const line of newest.definitions.split('\n')) {
    const at = line.indexOf(' ');
    const name = line.slice(0, at);
    const difference = differenceOfDefinitions(JSON.parse(line.slice(at + 1)), definitions.get(name));
    if (difference !== undefined && !isOfV2(name)) throw new Error(`${name} differs: ${JSON.stringify(difference)}`);
  }
}

/** Returns what turns the table of a release into that of the one before it. */
function differenceOf(newer, older) {
  const kinds = [];
  for (const key of newer.kinds.keys()) if (!older.kinds.has(key)) kinds.push(`-${key}`);
  for (const [key, kind] of older.kinds) {
    const known = newer.kinds.get(key);
    if (known === undefined || kindLine(key, known) !== kindLine(key, kind)) kinds.push(`+${kindLine(key, kind)}`);
  }
  const definitions = [];
  for (const [name, schema] of older.definitions) {
    const difference = differenceOfDefinitions(newer.definitions.get(name), schema);
    if (difference !== undefined) definitions.push(`${name} ${JSON.stringify(difference)}`);
  }
  return [...kinds.sort(), ...definitions.sort()];
}

/** A definition that changed: `-` are fields to leave out, `+` fields to set, `=` a whole new schema. */
function differenceOfDefinitions(newer, older) {
  if (JSON.stringify(newer) === JSON.stringify(older)) return undefined;
  if (newer?.properties === undefined || older?.properties === undefined) return { '=': older };
  const difference = {};
  const removed = Object.keys(newer.properties).filter((name) => older.properties[name] === undefined);
  const set = Object.entries(older.properties).filter(
    ([name, property]) => JSON.stringify(property) !== JSON.stringify(newer.properties[name]),
  );
  if (removed.length > 0) difference['-'] = removed;
  if (set.length > 0) difference['+'] = Object.fromEntries(set);
  for (const keyword of new Set([...Object.keys(newer), ...Object.keys(older)])) {
    if (keyword === 'properties') continue;
    if (JSON.stringify(newer[keyword]) === JSON.stringify(older[keyword])) continue;
    difference[keyword] = older[keyword] ?? null;
  }
  return Object.keys(difference).length === 0 ? undefined : difference;
}

/**
 * Returns what is or will be deprecated or gone, of the kinds that can be written. For a kind that a release here served,
 * the releases say when it went: alpha versions go earlier, or later, than planned.
 */
function lifecyclesOf() {
  const known = new Map();
  for (const one of lifecycles) {
    if (one.isObject && !one.kind.endsWith('List') && (one.deprecated ?? one.removed) !== undefined) {
      known.set(kindKey(one), one);
    }
  }
  for (const key of new Set(tables.flatMap(({ kinds }) => [...kinds.keys()]))) {
    const served = minors.filter((_, index) => tables[index].kinds.has(key));
    const [last] = served;
    const first = served.at(-1);
    if (last === minors[0]) continue;
    const [group, version, kind] = key.split(' ');
    const introduced = first === minors.at(-1) ? undefined : first;
    const gone = { group: group === '-' ? '' : group, version, kind, introduced, ...known.get(key) };
    known.set(key, { ...gone, removed: `1.${minorOf(last) + 1}` });
  }
  return known;
}

function lifecycleLine({ group, version, kind, introduced, deprecated, removed, replacement }) {
  const use = replacement === undefined ? [] : [kindKey(replacement)];
  return [kindKey({ group, version, kind }), introduced ?? '-', deprecated ?? '-', removed ?? '-', ...use].join(' ');
}

/** Lists fields whose description has a paragraph `Deprecated:`, with the first release whose description has it. */
function deprecatedFields() {
  const since = new Map();
  for (const [index, minor] of minors.entries()) {
    const { definitions } = tables[index];
    for (const [name, { properties = {} }] of Object.entries(releases[minor].swagger.definitions)) {
      if (!name.startsWith('io.k8s.') || !definitions.has(shortName(name))) continue;
      for (const [field, { description = '' }] of Object.entries(properties)) {
        if (/\bDeprecated: /.test(description)) since.set(`${shortName(name)} ${field}`, minor);
      }
    }
  }
  return [...since].map(([field, minor]) => `! ${field} ${minor}`).sort();
}
