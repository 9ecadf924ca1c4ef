import type { Disagreement } from './compare.ts';
import type { Judge } from './judge.ts';
import { configMap, type Purpose, packageWith, staleEntries, withCrd } from './on-purpose.ts';

/** What an earlier release of kro lacks: the rules here are those of the release that render-rgd follows. */
export type Lack = Pick<Purpose, 'documented' | 'holds' | 'sample'>;

const refuses =
  (pattern: RegExp) =>
  ({ stages, theirs }: Disagreement): boolean =>
    stages[1] === 'refused' && pattern.test(theirs);

/** The errors of kro 0.9.4 for values that kro 0.9.3 writes as they are, or fails to copy. */
const VALUE_OF_GO = /unsupported type: (?:bytes value cannot be used directly|uint value \d+ overflows int64)/;

const before094: readonly Lack[] = [
  {
    documented: 'it has no function deepMerge',
    holds: refuses(/undeclared reference to 'deepMerge'/),
    sample: packageWith(configMap('a', 'name: x', `, data: '\${{"a": "b"}.deepMerge({"c": "d"})}'`)),
  },
  {
    documented: 'it has no short names and categories',
    holds: refuses(/^unknown fields: \[(?:spec\.schema\.(?:categories|shortNames) ?)+\]$/),
    sample: packageWith(configMap('a', 'name: x'), 'name: string}, shortNames: [ap], status: {n: "${a.metadata.name}"'),
  },
  {
    documented: 'a selector is a literal',
    holds: refuses(/externalRef\.metadata\.selector[\w.[\]]* in body must be of type/),
    sample: packageWith(
      `{id: a, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: '\${{"matchLabels": {"a": "b"}}}'}}}`,
    ),
  },
  {
    documented: 'it checks a selector when it reads it',
    holds: ({ stages, code }) => stages.join() === 'refused,expand' && code === 'selector-shape',
    sample: packageWith(
      '{id: a, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {matchExpressions: [{key: "", operator: Equals}]}}}}',
    ),
  },
  {
    documented: 'it writes bytes and large unsigned integers, or crashes',
    holds: ({ stages, code, ours, theirs }) =>
      (stages.join() === 'expand,' && VALUE_OF_GO.test(ours)) ||
      (stages.join() === 'refused,' && code === 'bytes-value') ||
      (stages[1] === 'panic' && /^cannot deep copy \[\]uint8$/.test(theirs)),
    sample: withCrd(
      packageWith(
        '{id: a, template: {apiVersion: example.com/v1, kind: Port, metadata: {name: x}, spec: {free: \'${b"x"}\'}}}',
      ),
      'free: {x-kubernetes-preserve-unknown-fields: true}',
    ),
  },
  {
    documented: 'annotations with the prefix internal.kro.run/ are not reserved',
    holds: ({ stages, code, ours }) =>
      stages.join() === 'refused,' && code === 'reserved-key' && ours.includes("'internal.kro.run/'"),
    sample: packageWith(configMap('a', "name: x, annotations: {internal.kro.run/x: 'y'}")),
  },
];

/** What published versions lack. */
export const lacks: Readonly<Record<string, readonly Lack[]>> = { 'v0.9.3': before094 };

/** Returns the rows of a version that no longer hold for their samples. */
export const staleLacks = (judge: Judge, version: string): Promise<string[]> =>
  staleEntries(
    judge,
    (lacks[version] ?? []).map((row) => ({ ...row, reason: row.documented })),
  );

/** Versions that compare only the schemas of two CRDs: kro 0.9.4 also compares printer columns and names. */
export const COMPARES_ONLY_SCHEMAS: ReadonlySet<string> = new Set(['v0.9.3']);
