// The notation of data/kubernetes.json, which README.md describes.

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

export function shortName(name) {
  if (!name.startsWith(PREFIX)) throw new Error(`the definition ${name} is not in ${PREFIX}`);
  return name.slice(PREFIX.length);
}

/** Encodes a schema; `onReference` is called with the name of each definition that it refers to. */
export function encode(full, onReference) {
  if (full.$ref !== undefined) {
    onReference(full.$ref);
    return `#${shortName(full.$ref)}`;
  }
  const schema = {};
  for (const keyword of Object.keys(full)) {
    if (!KEPT.includes(keyword) && !LEFT_OUT.includes(keyword)) throw new Error(`unknown keyword ${keyword}`);
  }
  for (const keyword of KEPT) if (full[keyword] !== undefined) schema[keyword] = full[keyword];
  return (
    encodeList(schema, onReference) ??
    encodeMap(schema, onReference) ??
    encodeScalar(schema) ??
    encodeOther(schema, onReference)
  );
}

function encodeList(schema, onReference) {
  const { type, items, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys, ...rest } = schema;
  if (type !== 'array' || Object.keys(rest).length > 0) return undefined;
  return [encode(items, onReference), ...(listType === undefined ? [] : [listType, ...(keys ?? [])])];
}

function encodeMap(schema, onReference) {
  const { type, additionalProperties, ...rest } = schema;
  if (type !== 'object' || typeof additionalProperties !== 'object' || Object.keys(rest).length > 0) return undefined;
  return { '*': encode(additionalProperties, onReference) };
}

function encodeScalar(schema) {
  const { type, format, ...rest } = schema;
  if (type === undefined || Object.keys(rest).length > 0) return undefined;
  return format === undefined ? type : `${type}:${format}`;
}

function encodeOther(schema, onReference) {
  const result = { ...schema };
  if ((schema.properties && schema.type === 'object') || (schema.enum && schema.type === 'string')) delete result.type;
  if (schema.properties) {
    const names = Object.keys(schema.properties).sort();
    result.properties = Object.fromEntries(names.map((name) => [name, encode(schema.properties[name], onReference)]));
  }
  if (schema.additionalProperties) result.additionalProperties = encode(schema.additionalProperties, onReference);
  if (schema.items) result.items = encode(schema.items, onReference);
  if (schema.oneOf) result.oneOf = schema.oneOf.map((one) => encode(one, onReference));
  return result;
}
