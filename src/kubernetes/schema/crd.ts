import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { groupKind, type KubeObject } from '../../core/model/object.ts';
import { get, getAt, isMap, listOf, type Path, type Value } from '../../core/model/value.ts';
import { objectMetaSchema } from './builtin.ts';
import { toSchema } from './convert.ts';
import { pluralize } from './plural.ts';
import { type KindInfo, type KindRegistry, kindName, partsOf, type Schema } from './schema.ts';

export interface CrdKinds {
  /** The kind that the CRD defines, in every version that it serves. */
  registry: KindRegistry;
  /** What an API server would reject in it, with paths inside the CRD. */
  problems: Problem[];
}

const known = new WeakMap<KubeObject, CrdKinds>();

/**
 * Returns the kind of a CustomResourceDefinition (apiextensions.k8s.io/v1). A malformed version is unknown. Cached by
 * object, so that all callers get the same schemas.
 */
export function crdKinds(crd: KubeObject): CrdKinds {
  return getOrCompute(known, crd, () => readCrd(crd));
}

function readCrd(crd: KubeObject): CrdKinds {
  const problems: Problem[] = [];
  const report = (path: Path, message: string): void => {
    problems.push({ code: 'crd-shape', message: phrase`${message}`, path });
  };
  const group = text(crd, ['spec', 'group'], report);
  const kind = text(crd, ['spec', 'names', 'kind'], report);
  const namespaced = scopeOf(crd, report);
  const versions = servedVersions(crd, namespaced ?? true, report);
  const complete = group !== undefined && kind !== undefined && namespaced !== undefined;
  return {
    registry: {
      find: (asked) =>
        complete && asked.group === group && asked.kind === kind ? versions.get(asked.version) : undefined,
      *names() {
        if (!complete) return;
        for (const version of versions.keys()) yield kindName({ group, version, kind });
      },
    },
    problems,
  };
}

type ReportProblem = (path: Path, message: string) => void;

function text(crd: KubeObject, path: Path, report: ReportProblem): string | undefined {
  const value = getAt(crd, path);
  if (typeof value === 'string' && value !== '') return value;
  report(path, 'a CustomResourceDefinition needs a string here');
  return undefined;
}

function scopeOf(crd: KubeObject, report: ReportProblem): boolean | undefined {
  const scope = getAt(crd, ['spec', 'scope']);
  if (scope === 'Namespaced' || scope === 'Cluster') return scope === 'Namespaced';
  report(['spec', 'scope'], 'the scope must be Namespaced or Cluster');
  return undefined;
}

function servedVersions(crd: KubeObject, namespaced: boolean, report: ReportProblem): Map<string, KindInfo> {
  const result = new Map<string, KindInfo>();
  const path = ['spec', 'versions'];
  const versions = getAt(crd, path);
  if (!Array.isArray(versions) || versions.length === 0) {
    report(path, 'a CustomResourceDefinition needs a list of versions');
    return result;
  }
  versions.forEach((version, index) => {
    const read = readVersion(version, [...path, index], report);
    if (read?.served === true) result.set(read.name, { schema: read.schema, namespaced, written: read.written });
  });
  return result;
}

type Version = Required<Omit<KindInfo, 'namespaced'>> & { name: string; served: boolean };

function readVersion(version: Value, path: Path, report: ReportProblem): Version | undefined {
  const name = get(version, 'name');
  const served = get(version, 'served');
  const written = getAt(version, ['schema', 'openAPIV3Schema']);
  if (typeof name !== 'string') report([...path, 'name'], 'a version needs a name');
  if (typeof served !== 'boolean')
    report([...path, 'served'], 'a version must say whether it is served: true or false');
  const schemaPath = [...path, 'schema', 'openAPIV3Schema'];
  if (!isMap(written)) report(schemaPath, 'a version needs a schema');
  if (typeof name !== 'string' || typeof served !== 'boolean' || !isMap(written)) return undefined;
  const schema = toSchema(written, { report, known: new Map() }, schemaPath);
  completeEmbedded(schema);
  return {
    name,
    served,
    schema: { ...schema, type: 'object', properties: envelope(schema) },
    written: lazily(() => toSchema(written, { known: new Map() })),
  };
}

const STRING: Schema = { type: 'string' };

/**
 * The API server publishes its own `apiVersion`, `kind` and `metadata` for every custom kind, whatever the CRD says of
 * them (k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder, buildKubeNative).
 */
const envelope = (schema: Schema): Record<string, Schema> => ({
  ...schema.properties,
  apiVersion: STRING,
  kind: STRING,
  metadata: objectMetaSchema,
});

/** The same applies to embedded objects (x-kubernetes-embedded-resource; builder, addEmbeddedProperties). */
function completeEmbedded(schema: Schema, done = new Set<Schema>()): void {
  if (done.has(schema)) return;
  done.add(schema);
  for (const part of partsOf(schema)) completeEmbedded(part.schema, done);
  if (schema['x-kubernetes-embedded-resource'] !== true) return;
  schema.properties = envelope(schema);
  schema.required = [...new Set([...(schema.required ?? []), 'kind', 'apiVersion'])];
}

/** A resource that an API server serves for a CRD. */
export interface Resource {
  plural: string;
  versions: readonly string[];
}

/** Returns the resources of CRDs by `Kind.group`. */
export function resourcesOf(crds: readonly KubeObject[]): ReadonlyMap<string, Resource> {
  return new Map(
    crds.map(({ spec }) => {
      const [group, kind, plural] = [['group'], ['names', 'kind'], ['names', 'plural']].map((path) =>
        String(getAt(spec, path)),
      ) as [string, string, string];
      const served = listOf(getAt(spec, ['versions'])).filter((one) => get(one, 'served') !== false);
      return [groupKind({ group, kind }), { plural, versions: served.map((one) => String(get(one, 'name'))) }];
    }),
  );
}

/** Returns the plural of a kind: from its CRD, or as Kubernetes and controller-gen name it. */
export const pluralOf = (of: { group: string; kind: string }, resources: ReadonlyMap<string, Resource>): string =>
  resources.get(groupKind(of))?.plural ?? pluralize(of.kind.toLowerCase());
