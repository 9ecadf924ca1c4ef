// Turns the dump of this folder's Go program (stdin) into data/kubernetes.json (stdout).
// README.md describes the notation; src/kubernetes/schema/builtin.ts reads it.
import { readFileSync } from 'node:fs';

const PREFIX = 'io.k8s.';
const KEPT = [
  'type',
  'format',
  'properties',
  'additionalProperties',
  'items',
  'required',
  'enum',
  'oneOf',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
];
/** Defaults are set by the API server; the others are for older documents and for patches. */
const LEFT_OUT = [
  'default',
  'x-kubernetes-v2-schema',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-unions',
];

const { kubernetes, kinds, definitions } = JSON.parse(readFileSync(0, 'utf8'));
const lines = new Map();
for (const { definition } of kinds) encodeDefinition(definition);
const table = {
  version: kubernetes,
  kinds: kinds.map(kindLine).join('\n'),
  definitions: [...lines.values()].sort().join('\n'),
};
process.stdout.write(`${JSON.stringify(table, undefined, 1)}\n`);

function kindLine({ group, version, kind, namespaced, definition }) {
  return [group || '-', version, kind, namespaced ? 'N' : 'C', shortName(definition)].join(' ');
}

function encodeDefinition(name) {
  if (lines.has(name)) return;
  if (definitions[name] === undefined) throw new Error(`no definition ${name}`);
  lines.set(name, '');
  const line = `${shortName(name)} ${JSON.stringify(encode(definitions[name]))}`;
  if (/[`\\]|\$\{/.test(line)) throw new Error(`the definition ${name} does not fit into a template literal`);
  lines.set(name, line);
}

function shortName(name) {
  if (!name.startsWith(PREFIX)) throw new Error(`the definition ${name} is not in ${PREFIX}`);
  return name.slice(PREFIX.length);
}

function encode(full) {
  if (full.$ref !== undefined) {
    encodeDefinition(full.$ref);
    return `#${shortName(full.$ref)}`;
  }
  const schema = {};
  for (const keyword of Object.keys(full)) {
    if (!KEPT.includes(keyword) && !LEFT_OUT.includes(keyword)) throw new Error(`unknown keyword ${keyword}`);
  }
  for (const keyword of KEPT) if (full[keyword] !== undefined) schema[keyword] = full[keyword];
  return encodeList(schema) ?? encodeMap(schema) ?? encodeScalar(schema) ?? encodeOther(schema);
}

function encodeList(schema) {
  const { type, items, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys, ...rest } = schema;
  if (type !== 'array' || Object.keys(rest).length > 0) return undefined;
  return [encode(items), ...(listType === undefined ? [] : [listType, ...(keys ?? [])])];
}

function encodeMap(schema) {
  const { type, additionalProperties, ...rest } = schema;
  if (type !== 'object' || typeof additionalProperties !== 'object' || Object.keys(rest).length > 0) return undefined;
  return { '*': encode(additionalProperties) };
}

function encodeScalar(schema) {
  const { type, format, ...rest } = schema;
  if (type === undefined || Object.keys(rest).length > 0) return undefined;
  return format === undefined ? type : `${type}:${format}`;
}

function encodeOther(schema) {
  const result = { ...schema };
  if ((schema.properties && schema.type === 'object') || (schema.enum && schema.type === 'string')) delete result.type;
  if (schema.properties) {
    const names = Object.keys(schema.properties).sort();
    result.properties = Object.fromEntries(names.map((name) => [name, encode(schema.properties[name])]));
  }
  if (schema.additionalProperties) result.additionalProperties = encode(schema.additionalProperties);
  if (schema.items) result.items = encode(schema.items);
  if (schema.oneOf) result.oneOf = schema.oneOf.map(encode);
  return result;
}
