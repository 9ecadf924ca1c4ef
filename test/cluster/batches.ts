import { type KubeObject, nameOf, namespaceOf } from '../../src/core/model/object.ts';
import { getAt, isMap, type Value } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/definition.ts';
import type { ApartCase } from './apart.ts';
import { identityIn } from './identity.ts';

/** As many cases in one cluster as do not meet each other, but no more than so many. */
const TOGETHER = 150;

/** A case with what it would write, as far as that is known. */
export interface Planned {
  one: ApartCase;
  /** CRDs of others that it needs. */
  crds: readonly KubeObject[];
  written: readonly KubeObject[];
  ours: { stage: string };
}

/** Cases in groups of which each can have a cluster to itself. */
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

/** What a case needs, by name; two cases may share what is equal. */
function claims({ one, crds, written, ours }: Planned): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const crd of crds) {
    wanted.set(`crd ${nameOf(crd)}`, text(getAt(crd, ['spec'])));
    for (const name of namesOf(crd)) wanted.set(name, nameOf(crd));
  }
  // Nothing of it is kept.
  if (one.leftOut !== undefined) return wanted;
  // What is not rendered here may be applied there in part, and nobody knows what.
  const isUnknown = ours.stage === 'pending' || ours.stage === 'expand' || ours.stage === 'collision';
  const own = [one.namespace, ...one.objects.map(namespaceOf).filter((name) => name !== '')];
  for (const name of own) wanted.set(`namespace ${name}`, isUnknown ? one.name : '');
  // A CRD that kro writes changes the kind for everybody.
  for (const crd of written.filter(isCrd)) {
    for (const name of [`crd ${nameOf(crd)}`, ...namesOf(crd)]) wanted.set(name, one.name);
  }
  for (const object of [...one.objects, ...one.observed, ...written]) {
    if (isRgd(object) || isCrd(object)) continue;
    wanted.set(identityIn(object, one.namespace), one.name);
  }
  // A selector looks into other namespaces too: nobody else may have objects of that kind.
  const selected = new Set(one.objects.filter(isRgd).flatMap(selectedKinds));
  for (const { kind } of [...one.objects, ...one.observed, ...written, ...one.objects.flatMap(templatesOf)]) {
    wanted.set(`kind ${kind}`, selected.has(kind) ? one.name : '');
  }
  for (const kind of selected) wanted.set(`kind ${kind}`, one.name);
  return wanted;
}

const isCrd = ({ kind }: KubeObject): boolean => kind === 'CustomResourceDefinition';

/** The names that only one CRD of a group can have: its kinds, and what kubectl may call them. */
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
