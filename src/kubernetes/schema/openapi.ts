import { getOrCompute } from '../../core/model/lazily.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { builtinDefinition, builtinKinds, definitionsFrom } from './builtin.ts';
import { fillSchema } from './convert.ts';
import { type KindRegistry, kindName, type Schema } from './schema.ts';

const GVK = 'x-kubernetes-group-version-kind';

/** Reports whether a value looks like an OpenAPI document: v2 with `definitions`, or v3 with `components.schemas`. */
export const isOpenapiDocument = (document: Value): boolean => partsOf(document) !== undefined;

/** Returns the kinds of `kubectl get --raw /openapi/v2` or `/openapi/v3/...`. Schemas are read on demand. */
export const openapiKinds = (document: Value): KindRegistry =>
  isMap(document) ? getOrCompute(known, document, () => readOpenapi(document)) : readOpenapi(document);

/** A cache, because documents of a cluster are large, and a program renders repeatedly with one. */
const known = new WeakMap<ValueMap, KindRegistry>();

function readOpenapi(document: Value): KindRegistry {
  const { schemas, prefix, v2 } = partsOf(document) ?? { schemas: {}, prefix: '', v2: false };
  const kinds = kindsOf(schemas, scopesOf(document));
  const definition = definitionsFrom(
    (name) => get(schemas, name),
    (schema, written, definition, name) => {
      const resolve = (ref: string) => definition(ref.startsWith(prefix) ? ref.slice(prefix.length) : ref);
      fillSchema(schema, written, { resolve });
      if (v2) restoreFromV2(schema, name, written);
    },
  );
  return {
    find(asked) {
      const known = kinds.get(kindName(asked));
      const schema = known && definition(known.definition);
      return schema && { schema, namespaced: known.namespaced };
    },
    names: () => kinds.keys(),
  };
}

function partsOf(document: Value): { schemas: ValueMap; prefix: string; v2: boolean } | undefined {
  const v3 = getAt(document, ['components', 'schemas']);
  if (isMap(v3)) return { schemas: v3, prefix: '#/components/schemas/', v2: false };
  const v2 = get(document, 'definitions');
  return isMap(v2) ? { schemas: v2, prefix: '#/definitions/', v2: true } : undefined;
}

type Known = { definition: string; namespaced: boolean };

/**
 * Kinds that no path serves (lists, options, parts of requests) are not objects. A document without paths has no
 * scopes: then they are Kubernetes' own, and custom kinds are assumed to be namespaced.
 */
function kindsOf(schemas: ValueMap, scopes: ReadonlyMap<string, boolean> | undefined): Map<string, Known> {
  const kinds = new Map<string, Known>();
  for (const [definition, schema] of Object.entries(schemas)) {
    const written = get(schema, GVK);
    for (const gvk of Array.isArray(written) ? written.map(readGvk) : []) {
      if (gvk === undefined) continue;
      const name = kindName(gvk);
      const namespaced = scopes === undefined ? (builtinKinds.find(gvk)?.namespaced ?? true) : scopes.get(name);
      if (namespaced !== undefined) kinds.set(name, { definition, namespaced });
    }
  }
  return kinds;
}

/** `/apis/apps/v1/namespaces/{namespace}/deployments`, `/api/v1/nodes/{name}`; subresources have one step more. */
const RESOURCE_PATH = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(namespaces\/\{namespace\}\/)?[^/{}]+(?:\/\{name\})?$/;

/** Returns whether each served kind is namespaced; `undefined` for a document without paths. */
function scopesOf(document: Value): Map<string, boolean> | undefined {
  const paths = get(document, 'paths');
  if (!isMap(paths) || Object.keys(paths).length === 0) return undefined;
  const scopes = new Map<string, boolean>();
  for (const [path, operations] of Object.entries(paths)) {
    const match = RESOURCE_PATH.exec(path);
    if (match === null || !isMap(operations)) continue;
    for (const operation of Object.values(operations)) {
      const gvk = readGvk(get(operation, GVK));
      if (gvk === undefined) continue;
      const name = kindName(gvk);
      // A namespaced kind can be listed across namespaces too, at a path without one.
      scopes.set(name, scopes.get(name) === true || match[1] !== undefined);
    }
  }
  return scopes;
}

function readGvk(value: Value | undefined): GroupVersionKind | undefined {
  const group = get(value, 'group');
  const version = get(value, 'version');
  const kind = get(value, 'kind');
  if (typeof group !== 'string' || typeof version !== 'string' || typeof kind !== 'string') return undefined;
  return { group, version, kind };
}

/**
 * Restores what OpenAPI v2 cannot express: quantities may be numbers too, and custom kinds that keep unknown fields
 * lose all their fields (k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder, buildKubeNative).
 */
function restoreFromV2(schema: Schema, name: string, written: Value): void {
  const quantity = 'apimachinery.pkg.api.resource.Quantity';
  if (name === `io.k8s.${quantity}`) {
    delete schema.type;
    Object.assign(schema, builtinDefinition(quantity));
  }
  if (get(written, GVK) !== undefined && schema.properties === undefined) {
    schema['x-kubernetes-preserve-unknown-fields'] = true;
  }
}
