import words from '../../../data/plural.json';
import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { groupKind, type KubeObject } from '../../core/model/object.ts';
import { get, getAt, isMap, listOf, type Path } from '../../core/model/value.ts';
import { objectMetaSchema } from './builtin.ts';
import { toSchema } from './convert.ts';
import { type KindInfo, type KindRegistry, kindName, partsOf, type Schema } from './schema.ts';

export interface CrdKinds {
  registry: KindRegistry;
  /** What an API server would reject in it, with paths inside the CRD. */
  problems: Problem[];
}

const known = new WeakMap<KubeObject, CrdKinds>();

/** Returns the kind of a CRD, without malformed versions. Cached, so that all callers get the same schemas. */
export function crdKinds(crd: KubeObject): CrdKinds {
  return getOrCompute(known, crd, () => readCrd(crd));
}

/** Returns the kinds of several CRDs; of those that define the same kind, the first one does. */
export function kindsOfCrds(crds: readonly CrdKinds[]): KindRegistry {
  const byName = lazily(() => {
    const registries = new Map<string, KindRegistry>();
    for (const { registry } of crds) {
      for (const name of registry.names()) getOrCompute(registries, name, () => registry);
    }
    return registries;
  });
  return {
    find: (kind) => byName().get(kindName(kind))?.find(kind),
    names: () => byName().keys(),
  };
}

function readCrd(crd: KubeObject): CrdKinds {
  const problems: Problem[] = [];
  const report = (path: Path, message: string): void => {
    problems.push({ code: 'crd-shape', message: phrase`${message}`, path });
  };
  const text = (path: Path): string | undefined => {
    const value = getAt(crd, path);
    if (typeof value === 'string' && value !== '') return value;
    report(path, 'a CustomResourceDefinition needs a string here');
    return undefined;
  };
  const group = text(['spec', 'group']);
  const kind = text(['spec', 'names', 'kind']);
  const scope = getAt(crd, ['spec', 'scope']);
  const hasScope = scope === 'Namespaced' || scope === 'Cluster';
  if (!hasScope) report(['spec', 'scope'], 'the scope must be Namespaced or Cluster');
  const versions = servedVersions(crd, scope !== 'Cluster', report);
  const kinds = new Map<string, KindInfo>();
  if (group !== undefined && kind !== undefined && hasScope)
    for (const [version, info] of versions) kinds.set(kindName({ group, version, kind }), info);
  return { registry: { find: (asked) => kinds.get(kindName(asked)), names: () => kinds.keys() }, problems };
}

const SCHEMA = ['schema', 'openAPIV3Schema'];

function servedVersions(
  crd: KubeObject,
  namespaced: boolean,
  report: (path: Path, message: string) => void,
): Map<string, KindInfo> {
  const result = new Map<string, KindInfo>();
  const path = ['spec', 'versions'];
  const versions = listOf(getAt(crd, path));
  if (versions.length === 0) report(path, 'a CustomResourceDefinition needs a list of versions');
  for (const [index, version] of versions.entries()) {
    const at = [...path, index];
    const name = get(version, 'name');
    const served = get(version, 'served');
    const written = getAt(version, SCHEMA);
    if (typeof name !== 'string') report([...at, 'name'], 'a version needs a name');
    // An API server takes a version without it as one that is not served.
    if (served !== undefined && typeof served !== 'boolean') report([...at, 'served'], 'served must be true or false');
    if (!isMap(written)) report([...at, ...SCHEMA], 'a version needs a schema');
    if (typeof name !== 'string' || !isMap(written)) continue;
    const read = toSchema(written, { report, known: new Map() }, [...at, ...SCHEMA]);
    completeEmbedded(read);
    const schema: Schema = { ...read, type: 'object', properties: envelope(read) };
    if (served === true)
      result.set(name, { schema, namespaced, written: lazily(() => toSchema(written, { known: new Map() })) });
  }
  return result;
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

export interface Resource {
  plural: string;
  versions: readonly string[];
}

/** The resources of custom kinds, by group and kind. */
export type Resources = ReadonlyMap<string, Resource>;

export function resourcesOf(crds: readonly KubeObject[]): Resources {
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

/**
 * English nouns. An entry of the table is `singular plural [other plural]`. `=` marks a word that matches as a whole
 * only (the others also end compound words), `>` one whose plural does not mark a plural.
 */
const nouns = words.nouns.map((entry) => {
  const [, marks = '', singular = '', plural = '', other] = /^([=>]*)(\S+) (\S+)(?: (\S+))?$/.exec(entry) ?? [];
  return { singular, plural, other, whole: marks.includes('='), oneWay: marks.includes('>') };
});

const pluralOfNoun = new Map(nouns.map(({ singular, plural }) => [singular, plural]));

const plurals = new Set(
  nouns.flatMap(({ plural, other, oneWay }) => (oneWay ? [] : other ? [plural, other] : [plural])),
);

/** Later words come first, then the endings in their order, as `ending plural-ending`: the first match wins. */
const endings: readonly (readonly [string, string])[] = [
  ...nouns
    .filter(({ whole }) => !whole)
    .map(({ singular, plural }) => [singular, plural] as const)
    .reverse(),
  ...words.endings.map((entry) => entry.split(' ') as [string, string]),
];

/** Returns the endings that may match a kind, by its last letter. */
const endingsByLetter = lazily(() => {
  const found = new Map<string, (readonly [string, string])[]>();
  for (const ending of endings) {
    for (const letter of new Set(ending.map((word) => word.slice(-1)))) addTo(found, letter, ending);
  }
  return found;
});

/**
 * Abbreviations of flect whose ending looks like that of a noun with a rule. It converts them to upper case, where only
 * the ending S has a rule, and then does not find that ending in the lower-case kind: `dns` becomes `dnsDNSes`.
 */
const abbreviations = new Set([
  'aes',
  'bss',
  'cmos',
  'des',
  'dns',
  'eia',
  'ess',
  'fcs',
  'https',
  'ids',
  'ips',
  'mpls',
  'pots',
  'ssh',
  'tia',
]);

/** Returns the plural of a lower-case kind, as kro and controller-gen compute it (flect.Pluralize). */
export function pluralize(kind: string): string {
  const known = pluralOfNoun.get(kind);
  if (known !== undefined) return known;
  if (plurals.has(kind)) return kind;
  if (abbreviations.has(kind)) return kind.endsWith('s') ? `${kind}${kind.toUpperCase()}es` : `${kind}s`;
  for (const [singular, plural] of endingsByLetter().get(kind.slice(-1)) ?? []) {
    if (kind.endsWith(plural)) return kind;
    if (kind.endsWith(singular)) return kind.slice(0, kind.length - singular.length) + plural;
  }
  return kind.endsWith('s') ? kind : `${kind}s`;
}
