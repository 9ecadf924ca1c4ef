import { type KubeObject, nameOf, namespaceOf } from '../../src/core/model/object.ts';
import { getAt, isMap, type Value } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import type { ApartCase } from './apart.ts';
import { identityIn } from './identity.ts';

/** The maximum number of cases in one cluster. */
const TOGETHER = 150;

/** A case with the objects that it would write, as far as they are known. */
export interface Planned {
  one: ApartCase;
  /** CRDs of others that it needs. */
  crds: readonly KubeObject[];
  written: readonly KubeObject[];
  ours: { stage: string };
}

/** Groups cases so that each group can have its own cluster. */
export function batchesOf<T extends Planned>(cases: readonly T[], together = TOGETHER): T[][] {
  const batches: { cases: T[]; taken: Map<string, string> }[] = [];
  for (const planned of cases) {
    const wanted = claims(planned);
    const fits = batches.find(
      ({ cases: others, taken }) =>
        others.length < together && [...wanted].every(([key, value]) => (taken.get(key) ?? value) === value),
    );
    const batch = fits ?? { cases: [], taken: new Map<string, string>() };
    if (fits === undefined) batches.push(batch);
    batch.cases.push(planned);
    for (const [key, value] of wanted) batch.taken.set(key, value);
  }
  return batches.map((batch) => batch.cases);
}

/** Returns what a case needs, by name; two cases may share equal objects. */
function claims({ one, crds, written, ours }: Planned): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const crd of crds) {
    wanted.set(`crd ${nameOf(crd)}`, text(getAt(crd, ['spec'])));
    for (const name of namesOf(crd)) wanted.set(name, nameOf(crd));
  }
  // Nothing of it is stored.
  if (one.leftOut !== undefined) return wanted;
  // A case that is not rendered here may be applied in part, with unknown objects.
  const isUnknown = ours.stage === 'pending' || ours.stage === 'expand' || ours.stage === 'collision';
  const own = [one.namespace, ...one.objects.map(namespaceOf).filter((name) => name !== '')];
  for (const name of own) wanted.set(`namespace ${name}`, isUnknown ? one.name : '');
  // A CRD that kro writes changes the kind for all cases.
  for (const crd of written.filter(isCrd)) {
    for (const name of [`crd ${nameOf(crd)}`, ...namesOf(crd)]) wanted.set(name, one.name);
  }
  for (const object of [...one.objects, ...one.observed, ...written]) {
    if (isRgd(object) || isCrd(object)) continue;
    wanted.set(identityIn(object, one.namespace), one.name);
  }
  // A selector reads other namespaces too, so no other case may have objects of that kind.
  const selected = new Set(one.objects.filter(isRgd).flatMap(selectedKinds));
  for (const { kind } of [...one.objects, ...one.observed, ...written, ...one.objects.flatMap(templatesOf)]) {
    wanted.set(`kind ${kind}`, selected.has(kind) ? one.name : '');
  }
  for (const kind of selected) wanted.set(`kind ${kind}`, one.name);
  return wanted;
}

const isCrd = ({ kind }: KubeObject): boolean => kind === 'CustomResourceDefinition';

/** Returns the names that only one CRD of a group can have: its kinds, and their names in kubectl. */
function namesOf(crd: KubeObject): string[] {
  const { group, names } = isMap(crd.spec) ? crd.spec : {};
  const { kind = '', listKind = `${kind}List`, plural = '', singular, shortNames = [] } = isMap(names) ? names : {};
  const words = [plural, singular ?? String(kind).toLowerCase(), ...(Array.isArray(shortNames) ? shortNames : [])];
  return [
    ...[kind, listKind].map((one) => `kind of ${group}: ${one}`),
    ...words.map((one) => `resource of ${group}: ${one}`),
  ];
}

const nodesOf = (rgd: KubeObject): Value[] => {
  const resources = getAt(rgd, ['spec', 'resources']);
  return Array.isArray(resources) ? resources : [];
};

const selectedKinds = (rgd: KubeObject): string[] =>
  nodesOf(rgd)
    .filter((node) => getAt(node, ['externalRef', 'metadata', 'selector']) !== undefined)
    .map((node) => String(getAt(node, ['externalRef', 'kind'])));

const templatesOf = (object: KubeObject): { kind: string }[] =>
  isRgd(object) ? nodesOf(object).map((node) => ({ kind: String(getAt(node, ['template', 'kind'])) })) : [];

const text = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ?? '';
