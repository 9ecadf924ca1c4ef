import { createCheck, type ObjectCheck } from '../../../check/validate/index.ts';
import { format, isError } from '../../../core/diagnostics/index.ts';
import { getOrCompute, lazily } from '../../../core/model/lazily.ts';
import type { Limits } from '../../../core/model/limits.ts';
import { nameFault, namespaceFault } from '../../../core/model/names.ts';
import {
  type GroupVersionKind,
  groupKind,
  groupVersionKind,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../../core/model/object.ts';
import { NEWEST_KUBERNETES } from '../../../core/model/render.ts';
import { getAt, textsIn } from '../../../core/model/value.ts';
import { nearest } from '../../../core/text/nearest.ts';
import { controllerKinds, type KindInfo, readKindName } from '../../../kubernetes/schema/index.ts';

/** The kinds that declare what is deployed, as `Kind.group`. */
export const DECLARING: readonly string[] = [
  'Application.argoproj.io',
  'ApplicationSet.argoproj.io',
  'Kustomization.kustomize.toolkit.fluxcd.io',
  'HelmRelease.helm.toolkit.fluxcd.io',
  'FluxInstance.fluxcd.controlplane.io',
];

/** The groups of Argo CD, whose CRDs have had one version since the first release. */
const ONE_VERSION: readonly string[] = ['argoproj.io'];

/** The versions that a kind is served in, the newest release of its controller. */
const servedVersions = lazily((): ReadonlyMap<string, readonly GroupVersionKind[]> => {
  const served = new Map<string, GroupVersionKind[]>();
  for (const name of controllerKinds.names()) {
    const gvk = readKindName(name);
    const key = groupKind(gvk);
    served.set(key, [...(served.get(key) ?? []), gvk]);
  }
  return served;
});

/** Returns the schema of a kind: that of its version, or for an older version of Flux that of a newer one. */
function schemaOf(gvk: GroupVersionKind): KindInfo | undefined {
  const served = servedVersions().get(groupKind(gvk)) ?? [];
  const other = ONE_VERSION.includes(gvk.group) ? undefined : served.at(-1);
  return controllerKinds.find(gvk) ?? (other && controllerKinds.find(other));
}

/** Returns why an API server rejects an object that declares something; `undefined` if it accepts it. */
export type Refusal = (object: KubeObject) => string | undefined;

/** What an API server answers for each object. Both versions share the objects of a file that they both have. */
export type KnownRefusals = Map<KubeObject, string | undefined>;

/** Returns a check of objects of the controllers against their CRDs, which answers for a known object at once. */
export function createRefusal(limits: Limits, known: KnownRefusals = new Map()): Refusal {
  const check = lazily(() => createCheck({ ...limits, kubernetes: NEWEST_KUBERNETES }));
  return (object) => getOrCompute(known, object, () => refusalOf(object, check));
}

function refusalOf(object: KubeObject, check: () => ObjectCheck): string | undefined {
  const gvk = groupVersionKind(object);
  const known = schemaOf(gvk);
  if (known === undefined) return unknownKind(gvk);
  const named = nameFaultOf(object, gvk);
  if (named !== undefined) return named;
  for (const problem of check()(object, gvk, known.schema)) {
    if (!isError(problem)) continue;
    const isVariable = [...textsIn(getAt(object, problem.path) ?? null)].some(({ text }) => VARIABLE.test(text));
    if (!isVariable) return format(problem.message);
  }
  return undefined;
}

/** A variable of Flux. */
const VARIABLE = /\$\{/;

function nameFaultOf(object: KubeObject, gvk: GroupVersionKind): string | undefined {
  const name = nameOf(object);
  const refused = (why: string): string => `the API server rejects this ${gvk.kind}: metadata.${why}`;
  if (name === '') return refused('name: Required value');
  // Flux fills in variables before it applies an object.
  const fault = VARIABLE.test(name) ? undefined : nameFault(gvk, name);
  if (fault !== undefined) return refused(`name: '${name}' ${fault}`);
  const namespace = namespaceOf(object);
  const other = namespace === '' || VARIABLE.test(namespace) ? undefined : namespaceFault(namespace);
  return other === undefined ? undefined : refused(`namespace: '${namespace}' ${other}`);
}

/** Other projects have kinds of the same group, so only what looks like a kind that declares something is one. */
function unknownKind(gvk: GroupVersionKind): string | undefined {
  const isServed = servedVersions().has(groupKind(gvk));
  if (isServed) return `no CRD serves ${gvk.kind} in ${gvk.group}/${gvk.version}`;
  const kinds = DECLARING.map(readGroupKind).filter(({ group }) => group === gvk.group);
  const [meant] = nearest(
    gvk.kind,
    kinds.map(({ kind }) => kind),
    1,
  );
  return meant === undefined ? undefined : `no CRD defines the kind ${gvk.kind}; did you mean ${meant}?`;
}

function readGroupKind(name: string): { kind: string; group: string } {
  const at = name.indexOf('.');
  return { kind: name.slice(0, at), group: name.slice(at + 1) };
}
