import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { render } from '../../../src/api/index.ts';
import { type DiffResult, diff, formatDiff, type ObjectDiff, type RenderInput } from '../../../src/api/tools/index.ts';
import { partOf } from '../../properties/runs.ts';
import { type Edit, editsOf, withClaims } from './edits.ts';
import { type Doc, type ExamplePackage, exampleFolders, examplePackage } from './example-packages.ts';

/** Folders of examples that render nothing, and why. */
const NOTHING: Readonly<Record<string, string>> = {
  argocd: 'Applications, which Argo CD reads',
  'argocd/discovery': 'the configuration of the plugin',
  'argocd/platform': 'RGDs without an instance',
  'argocd/sidecar': 'the configuration of the plugin',
  compat: 'two versions of an RGD, and instances',
  'compat/new': 'an RGD without an instance',
  'compat/old': 'an RGD without an instance',
  'extract/apps/blog': 'manifests of which an RGD is made',
  'extract/apps/docs': 'manifests of which an RGD is made',
  'extract/apps/shop': 'manifests of which an RGD is made',
  ci: 'a workflow of GitHub, no Kubernetes objects',
  'kpt/expected/queues': 'what kpt/package was rendered to',
  'kustomize/production': 'a layer, for which kustomize gets the objects from below',
  'kustomize/rendered': 'a layer, for which kustomize gets the objects from below',
  pending: 'what a cluster says about pending/site',
  'policies/policies': 'admission policies, which render nothing',
  'tests/address-awaited': 'a test that expects an error',
  'tests/queue-refused': 'a test that expects an error',
};

const text = (file: string, docs: readonly Doc[]) => ({ file, text: docs.map((doc) => stringify(doc)).join('---\n') });
const inputOf = ({ objects, definitions, observed }: ExamplePackage): RenderInput => ({
  objects: [text('objects.yaml', objects)],
  definitions: [text('definitions.yaml', definitions)],
  observed: [text('observed.yaml', observed)],
});
const isRefused = (diagnostics: DiffResult['diagnostics']): boolean =>
  diagnostics.some(({ severity, code }) => severity === 'error' || code === 'older-version-broken');

function rendered(whole: ExamplePackage, all: boolean): ReadonlyMap<string, Doc> {
  const { objects, diagnostics } = render(inputOf(whole), { namespace: whole.namespace, all });
  return new Map(isRefused(diagnostics) ? [] : objects.map((object) => [keyOf(object), object]));
}

const keyOf = ({ apiVersion, kind, metadata }: Doc): string =>
  JSON.stringify([apiVersion.split('/').slice(0, -1).join(), kind, metadata.namespace ?? '', metadata.name]);

const FLIPPED = { added: 'removed', removed: 'added', changed: 'changed', replaced: 'replaced' } as const;
const WORDS = { before: 'after', after: 'before' } as const;

/** Returns a change as seen in the other direction. */
function flipped({ change, before, after, fields }: ObjectDiff): unknown {
  return {
    change: FLIPPED[change],
    ...(after && { before: after }),
    ...(before && { after: before }),
    fields: fields.map((field) =>
      Object.fromEntries(Object.entries(field).map(([name, value]) => [WORDS[name as 'before'] ?? name, value])),
    ),
  };
}

const NO_COUNTS = { added: 0, removed: 0, changed: 0, replaced: 0, unchanged: 0 };

/** Returns the printed lines of a change that begin with a sign. */
const linesWith = (sign: '-' | '+', change: ObjectDiff): string[] =>
  formatDiff({ changes: [change], warnings: [], counts: NO_COUNTS })
    .split('\n')
    .filter((line) => line.startsWith(`  ${sign}`))
    .map((line) => line.slice(3));

function expectMirrored(there: DiffResult, back: DiffResult): void {
  expect(back.changes.map(flipped)).toEqual(there.changes);
  expect(back.changes.map((change) => linesWith('-', change))).toEqual(there.changes.map((one) => linesWith('+', one)));
  expect(back.changes.map((change) => linesWith('+', change))).toEqual(there.changes.map((one) => linesWith('-', one)));
  const { added, removed, ...same } = there.counts;
  expect(back.counts).toEqual({ added: removed, removed: added, ...same });
}

const CLUSTER_HOLDERS = ['Namespace', 'PersistentVolume', 'CustomResourceDefinition'];
const holdsData = ({ kind, spec }: Doc): boolean =>
  kind === 'PersistentVolumeClaim' ||
  CLUSTER_HOLDERS.includes(kind) ||
  (kind === 'StatefulSet' && spec.volumeClaimTemplates?.length > 0);
/** Reports whether the object is recreated with loss of its data because a field is immutable. */
function isMadeAnew(before: Doc, after: Doc): boolean {
  const fixed = ({ kind, spec }: Doc): unknown =>
    kind === 'StatefulSet' ? spec.volumeClaimTemplates : kind === 'PersistentVolumeClaim' && spec.accessModes;
  return JSON.stringify(fixed(before)) !== JSON.stringify(fixed(after));
}
const titleOf = ({ kind, metadata: { namespace, name } }: Doc): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** Checks a comparison against its two renderings, so that it cannot be wrong in both directions. */
function expectToTell(told: DiffResult, before: ReadonlyMap<string, Doc>, after: ReadonlyMap<string, Doc>): void {
  const sides = (side: 'before' | 'after', ...changes: string[]): Doc[] =>
    told.changes.filter(({ change }) => changes.includes(change)).map((change) => change[side]?.object);
  const without = (some: ReadonlyMap<string, Doc>, others: ReadonlyMap<string, Doc>): Doc[] =>
    [...some].flatMap(([key, object]) => (others.has(key) ? [] : [object]));
  const sorted = (objects: readonly Doc[]): Doc[] => objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const kept = [...before.keys()].filter((key) => after.has(key));
  const changed = kept.filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)));
  const gone = without(before, after);
  expect(sorted(sides('before', 'removed', 'replaced'))).toEqual(sorted(gone));
  expect(sorted(sides('after', 'added', 'replaced'))).toEqual(sorted(without(after, before)));
  expect(sorted(sides('before', 'changed'))).toEqual(sorted(changed.map((key) => before.get(key))));
  expect(sorted(sides('after', 'changed'))).toEqual(sorted(changed.map((key) => after.get(key))));
  expect(told.counts.unchanged).toBe(kept.length - changed.length);
  const anew = kept.filter((key) => isMadeAnew(before.get(key), after.get(key))).map((key) => before.get(key));
  const warned = told.warnings.filter(({ kind }) => kind === 'data-loss');
  expect(warned.map(({ message }) => message.replace(/( is deleted|: ).*/, '')).sort()).toEqual(
    [...gone.filter(holdsData), ...anew].map(titleOf).sort(),
  );
}

/** The last older version, cached because many edits share it. */
let known: { whole?: ExamplePackage; objects: ReadonlyMap<string, Doc> } = { objects: new Map() };

interface Told {
  kind: Edit['kind'];
  result: DiffResult;
}

/** Compares in both directions; returns nothing if the edit does not render. */
function compared(before: ExamplePackage, { kind, after }: Edit): Told[] {
  const options = { namespace: before.namespace, all: true };
  const [one, other] = [inputOf(before), inputOf(after)];
  const there = diff({ before: one, after: other }, options);
  const back = diff({ before: other, after: one }, options);
  expect(isRefused(back.diagnostics)).toBe(isRefused(there.diagnostics));
  // `render` prints nothing of a version with a pending value, whose rest is compared.
  if (isRefused(there.diagnostics) || there.pending.length > 0 || back.pending.length > 0) return [];
  expectMirrored(there, back);
  const old = before === known.whole ? known.objects : rendered(before, true);
  known = { whole: before, objects: old };
  const young = rendered(after, true);
  expectToTell(there, old, young);
  expectToTell(back, young, old);
  return [{ kind, result: there }];
}

/** Returns the edits of an example; of the version with objects that hold data, only the edits that are new. */
function resultsOf(folder: string): Told[] {
  const whole = examplePackage(folder);
  const holding = withClaims(whole);
  const differs = ({ kind, title }: Edit): boolean => kind === 'drop' || kind === 'rename' || /: node hold/.test(title);
  return [
    ...editsOf(whole).flatMap((edit) => compared(whole, edit)),
    ...editsOf(holding)
      .filter(differs)
      .flatMap((edit) => compared(holding, edit)),
  ].filter(({ result }) => result.changes.length > 0);
}

describe('the comparison of an example with its edit, in the other direction, is the mirror image', () => {
  const folders = exampleFolders();
  const rendering = folders.filter((folder) => rendered(examplePackage(folder), false).size > 0);

  it('for every folder that renders objects', () => {
    expect(folders.filter((folder) => !rendering.includes(folder))).toEqual(Object.keys(NOTHING).sort());
  });

  it.each(partOf(rendering, 8))('%s', (folder) => expect(resultsOf(folder)).not.toEqual([]));

  it('for every kind of edit and of change', () => {
    const told = resultsOf('kpt/package');
    expect(new Set(told.map(({ kind }) => kind))).toEqual(
      new Set(['scalar', 'literal', 'drop', 'rename', 'node', 'identity']),
    );
    const changes = told.flatMap(({ result }) => result.changes.map(({ change }) => change));
    expect(new Set(changes)).toEqual(new Set(Object.keys(FLIPPED)));
    expect(told.some(({ result }) => result.warnings.some(({ kind }) => kind === 'data-loss'))).toBe(true);
  });
});
