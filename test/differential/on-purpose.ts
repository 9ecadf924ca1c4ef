import { readPackageText } from '../cluster/documents.ts';
import { type Disagreement, disagreement, ours, theirs } from './compare.ts';
import type { Judge } from './judge.ts';
import type { GeneratedPackage } from './packages.ts';

/** Where this renderer does something else than kro on purpose. */
export interface Purpose {
  reason: string;
  /** A part of the sentence in docs/differences.md that says so. */
  documented: string;
  holds(found: Disagreement): boolean;
  /** A package that shows it: once that is rendered alike, the entry has to go. */
  sample: GeneratedPackage;
}

/** A package of one RGD, given the rest of its `spec`, and one instance. */
function packageWith(resources: string, spec = 'name: string'): GeneratedPackage {
  const text = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {${spec}}}
  resources: [${resources}]
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: one}, spec: {name: Web}}
`;
  return { objects: readPackageText(text) as unknown as GeneratedPackage['objects'], observed: [] };
}

const configMap = (id: string, metadata: string, rest = ''): string =>
  `{id: ${id}, template: {apiVersion: v1, kind: ConfigMap, metadata: {${metadata}}${rest}}}`;

const isRefusedHere = (found: Disagreement, ...codes: string[]): boolean =>
  found.stages[1] === '' && codes.includes(found.code ?? '');

export const purposes: readonly Purpose[] = [
  {
    reason: 'Two objects of one identity would overwrite each other for ever.',
    documented: 'Two rendered objects of one identity are an error',
    holds: (found) => found.stages[0] === 'collision' && found.stages[1] === '',
    sample: packageWith([configMap('a', 'name: x'), configMap('b', 'name: x')].join(', ')),
  },
  {
    reason: 'The API server would refuse such a name, namespace or label.',
    documented: 'A rendered object needs a `metadata.name`, and one that Kubernetes accepts',
    holds: (found) => isRefusedHere(found, 'object-name', 'object-namespace', 'object-label'),
    sample: packageWith(configMap('a', "name: '${schema.spec.name}'")),
  },
  {
    reason: 'A computed key with a reserved prefix would pass for one of kro.',
    documented: 'A computed label or annotation with a reserved prefix is refused like a literal one',
    holds: (found) => isRefusedHere(found, 'computed-reserved-key'),
    sample: packageWith(configMap('a', `name: x, labels: '\${{"kro.run/x": "y"}}'`)),
  },
];

/** The entry that a disagreement falls under. */
export const purposeOf = (found: Disagreement): Purpose | undefined => purposes.find((one) => one.holds(found));

/** What is wrong with the table: entries that no longer occur. */
export async function staleEntries(judge: Judge): Promise<string[]> {
  const verdicts = await judge.ask(purposes.map(({ sample }) => sample));
  return purposes.flatMap(({ documented, sample, holds }, index) => {
    const verdict = verdicts[index];
    const found = verdict && disagreement(ours(sample), theirs(verdict, sample));
    return found !== undefined && holds(found) ? [] : [`no longer different on purpose: ${documented}`];
  });
}
