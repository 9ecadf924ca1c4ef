import { matches, parseSelector } from '../../src/core/model/label-selector.ts';
import type { Value, ValueMap } from '../../src/core/model/value.ts';
import { canonicalYaml, templateYaml } from '../../src/flux/canonical/index.ts';
import type { GeneratedSet } from './random.ts';

/** The rendered objects, or the error. */
export type Outcome = { objects: readonly object[] } | { error: string; code: string };

/** The answer of the oracle. */
export interface Answer {
  objects?: object[];
  stage?: string;
  error?: string;
}

/** A deliberate difference from the Flux operator, listed in docs/resourceset.md. */
export interface Purpose {
  reason: string;
  holds(set: GeneratedSet, ours: Outcome, theirs: Answer): boolean;
  /** A set that shows it; if both sides agree on it, the entry must be removed. */
  sample: GeneratedSet;
}

const fails = (ours: Outcome, ...codes: string[]): boolean => 'code' in ours && codes.includes(ours.code);

/** Reports whether an entry of `resources` has a quoted text where go-yaml folds a line. */
function foldsQuotes({ set }: GeneratedSet): boolean {
  const spec = set.spec as ValueMap;
  const steps = Array.isArray(spec.steps) ? spec.steps : [];
  const holders = [spec, ...(steps as ValueMap[])];
  const entries = holders.flatMap(({ resources }): Value[] => (Array.isArray(resources) ? resources : []));
  return entries.some((entry) => canonicalYaml(entry) !== templateYaml(entry));
}

function sampleOf(resource: ValueMap, spec: ValueMap = {}): GeneratedSet {
  const metadata = { name: 'x', namespace: 'sea' };
  const resources = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...resource }];
  const set = {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'boats', namespace: 'sea' },
    spec: { inputs: [{ name: 'quay' }], resources, ...spec },
  };
  return { set: set as GeneratedSet['set'], providers: [] };
}

const providerOf = (spec: ValueMap): GeneratedSet['set'] => ({
  apiVersion: 'fluxcd.controlplane.io/v1',
  kind: 'ResourceSetInputProvider',
  metadata: { name: 'unread', namespace: 'sea' },
  spec: spec as GeneratedSet['set'],
});

/** Reports whether a set may read a provider. */
function isRead(provider: GeneratedSet['set'], { spec }: GeneratedSet['set']): boolean {
  const { name, namespace, labels } = provider.metadata as { name: string; namespace: string; labels?: ValueMap };
  const from = (spec as { inputsFrom?: unknown }).inputsFrom;
  if (namespace !== 'sea' || !Array.isArray(from)) return false;
  return from.some((one: { name?: string; selector?: ValueMap }) => {
    if (one.selector === undefined) return one.name === name;
    const { selector } = parseSelector(one.selector);
    return matches(selector, labels ?? {});
  });
}

export const purposes: readonly Purpose[] = [
  {
    reason: 'A long line is not folded in a text in quotes inside of an action.',
    holds: (set) => foldsQuotes(set),
    sample: sampleOf({ data: { k: `# ${'word '.repeat(12)}<< "a b c d e f g h i j k l" | upper >>` } }),
  },
  {
    reason: 'An API server refuses the object, which the operator finds out when it applies.',
    holds: (_, ours, theirs) =>
      theirs.error === undefined && fails(ours, 'object-name', 'object-namespace', 'object-label', 'incomplete-object'),
    sample: sampleOf({ metadata: { name: 'Not_A_Name', namespace: 'sea' } }),
  },
  {
    reason: 'A provider that no ResourceSet reads is not checked: the cluster refuses it, and renders the set.',
    holds: ({ set, providers }, ours, theirs) =>
      theirs.stage === 'crd' && 'objects' in ours && providers.some((one) => !isRead(one, set)),
    sample: {
      ...sampleOf({}),
      providers: [providerOf({ type: 'ExternalArtifact', url: 'https://git.example/sea/boats' })],
    },
  },
  {
    reason: 'From a moment to now is another time at each rendering.',
    holds: ({ set }, ours, theirs) =>
      theirs.error === undefined && fails(ours, 'template-execution') && /\bago\b/.test(JSON.stringify(set)),
    sample: sampleOf({ data: { k: '<< ago (toDate "2006-01-02" "2031-04-05") | quote >>' } }),
  },
  {
    reason: 'A moment printed with a verb for other values shows the insides of a struct in Go.',
    holds: ({ set }, ours, theirs) =>
      theirs.error === undefined && 'objects' in ours && /printf.*oDate/s.test(JSON.stringify(set)),
    sample: sampleOf({ data: { k: '<< printf "%d" (toDate "2006-01-02" "2031-04-05") | quote >>' } }),
  },
  {
    reason: 'A label or an annotation that is no string.',
    holds: (_, ours, theirs) => theirs.error === undefined && fails(ours, 'rendered-metadata'),
    sample: sampleOf({ metadata: { name: 'x', namespace: 'sea', labels: { app: 1 } } }),
  },
  {
    reason: 'A ResourceSet that renders no objects is an error; in a cluster it deletes what was applied.',
    holds: (_, ours, theirs) =>
      theirs.error === undefined && (theirs.objects ?? []).length === 0 && fails(ours, 'no-objects'),
    sample: sampleOf({}, { resources: [] }),
  },
];
