import { type ObjectSource, render } from '../../src/api/index.ts';
import { isMap } from '../../src/core/model/value.ts';
import { compared, type Disagreement, type Verdict, withoutValueless } from './compare.ts';
import { withoutEarlier } from './earlier.ts';
import type { Judge } from './judge.ts';
import { configMap, type Purpose, packageWith, purposeOf, withEarlier, withNested } from './on-purpose.ts';
import type { GeneratedPackage } from './packages.ts';
import type { Json, JsonMap } from './types.ts';

/** A package without a deliberate difference, or a question to kro that avoids it. */
interface Varied {
  input: GeneratedPackage;
  /** Selectors of kro find no rendered objects. */
  unselected?: boolean;
}

/** A deliberate difference that is recognized because both sides agree without it. */
export interface Variation extends Pick<Purpose, 'reason' | 'documented' | 'sample'> {
  /** Returns the package without the difference; `undefined` if it does not have it. */
  vary(input: GeneratedPackage, verdict: Verdict, found: Disagreement): Varied | undefined;
}

const SELECTED = '{id: r, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {}}}}';

export const variations: readonly Variation[] = [
  {
    reason: 'Nodes that read a label without a value find none here.',
    documented: 'Nodes that read the label find no key here; kro reads what was applied.',
    vary: (input, verdict) => varied(withoutValueless(input, verdict)),
    sample: packageWith(
      [
        configMap('a', "name: x, labels: {b: '${schema.metadata.?labels.?team}'}"),
        configMap(
          'c',
          'name: z',
          ", data: {v: '${string(size(a.metadata.labels) > 100 || has(a.metadata.labels.b))}'}",
        ),
      ].join(', '),
    ),
  },
  {
    reason: 'An API server merges an earlier version of an instance.',
    documented: 'An instance is admitted as a new one',
    vary: (input) => varied(withoutEarlier(input)),
    sample: withEarlier(
      packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | maximum=3'", 'name: Web, size: 5'),
    ),
  },
  {
    reason: 'Rules with `oldSelf` do not run: a status is an update, which they may reject.',
    documented: 'Rules with `oldSelf` do not run',
    vary: (input) => varied(withoutTransitionRules(input)),
    sample: withTransitionRule(withNested("{ready: '${a.metadata.name}'}", '${inner.status.ready}')),
  },
  {
    reason: 'Nobody knows what a cluster adds to an object: what reads it is pending, and what reads that.',
    documented: 'An expression whose value depends on that is pending for an object that is rendered',
    vary: (input, _verdict, { stages: [here] }) => (here === 'pending' ? varied(withLiveObjects(input)) : undefined),
    sample: packageWith(
      [
        configMap('a', 'name: x'),
        configMap('b', 'name: z', ", data: {v: '${json.marshal(a)}'}"),
        configMap('c', 'name: w', ", data: {v: '${string(1 / (size(b.data.v) - size(b.data.v)))}'}"),
      ].join(', '),
    ),
  },
  {
    reason: 'The output of a selector that finds rendered objects could depend on itself.',
    documented: 'It never finds rendered objects, so the output cannot depend on itself',
    vary: (input) => (hasSelector(input) ? { input, unselected: true } : undefined),
    sample: packageWith(
      `${configMap('a', 'name: x')}, ${SELECTED}, ${configMap('b', 'name: z', ", data: {v: '${string(size(r))}'}")}`,
    ),
  },
];

const varied = (input: GeneratedPackage | undefined): Varied | undefined =>
  input === undefined ? undefined : { input };

/** Returns the deliberate difference without which both sides agree. */
export async function variationOf(
  judge: Judge,
  input: GeneratedPackage,
  verdict: Verdict,
  found: Disagreement,
): Promise<Variation | undefined> {
  for (const one of variations) {
    const without = one.vary(input, verdict, found);
    if (without !== undefined && (await agrees(judge, without))) return one;
  }
  return undefined;
}

async function agrees(judge: Judge, { input, unselected }: Varied): Promise<boolean> {
  const [verdict] = await judge.ask([input], { crds: true, outcomes: true, unselected: unselected === true });
  if (verdict === undefined) return false;
  const found = compared(input, verdict);
  return found === undefined || purposeOf(found, input, verdict.kro) !== undefined;
}

/** Returns the errors of the table: variations whose sample is equal, or does not become equal. */
export async function staleVariations(judge: Judge): Promise<string[]> {
  const faults: string[] = [];
  for (const one of variations) {
    const [verdict] = await judge.ask([one.sample], { crds: true });
    const found = verdict && compared(one.sample, verdict);
    const without = found && one.vary(one.sample, verdict, found);
    if (without === undefined || !(await agrees(judge, without)))
      faults.push(`no longer different on purpose: ${one.reason}`);
  }
  return faults;
}

const hasSelector = ({ objects }: GeneratedPackage): boolean =>
  objects.some(({ kind, spec }) => kind === 'ResourceGraphDefinition' && resourcesOf(spec).some(isSelection));

function resourcesOf(spec: Json | undefined): JsonMap[] {
  const resources = isPlainMap(spec) ? spec.resources : undefined;
  return Array.isArray(resources) ? resources.filter(isPlainMap) : [];
}

function isSelection({ externalRef }: JsonMap): boolean {
  const metadata = isPlainMap(externalRef) ? externalRef.metadata : undefined;
  return isPlainMap(metadata) && metadata.selector !== undefined;
}

function isPlainMap(value: Json | undefined): value is JsonMap {
  return isMap(value);
}

/** The markers of rules that compare with an earlier value. */
const TRANSITION = /\s*(?:validation="(?:\\.|[^"\\])*oldSelf(?:\\.|[^"\\])*"|immutable=true)/g;

function withoutTransitionRules(input: GeneratedPackage): GeneratedPackage | undefined {
  let count = 0;
  const without = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(without);
    if (isPlainMap(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, without(one)]));
    if (typeof value !== 'string' || !value.includes('|')) return value;
    return value.replace(TRANSITION, () => {
      count += 1;
      return ' description="no rule"';
    });
  };
  const objects = input.objects.map((one) =>
    one.kind === 'ResourceGraphDefinition' ? (without(one) as JsonMap) : one,
  );
  return count === 0 ? undefined : { ...input, objects };
}

/** Returns the package of a nested instance with a rule that rejects a value which does not change. */
function withTransitionRule({ objects, observed }: GeneratedPackage): GeneratedPackage {
  const changed = objects.map((one) => {
    if (!isPlainMap(one.metadata) || !isPlainMap(one.spec)) return one;
    const { schema, resources } = one.spec as { schema: JsonMap; resources: JsonMap[] };
    if (one.metadata.name === 'inner')
      return {
        ...one,
        spec: { resources, schema: { ...schema, spec: { name: 'string | validation="self != oldSelf"' } } },
      };
    if (one.metadata.name !== 'app') return one;
    const [nested = {}, ...others] = resources;
    const template = { ...(nested.template as JsonMap), spec: { name: 'a' } };
    return { ...one, spec: { schema, resources: [{ ...nested, template }, ...others] } };
  });
  return { objects: changed, observed };
}

const LIVE = { resourceVersion: '7', creationTimestamp: '2024-01-02T03:04:05Z' };
/** Objects that become live may render others. */
const ROUNDS = 4;

/** Returns the package with live objects for those that it renders and that expressions read. */
function withLiveObjects(input: GeneratedPackage): GeneratedPackage | undefined {
  let found = input;
  for (let round = 0; round < ROUNDS; round += 1) {
    const more = missingObjects(found);
    if (more.length === 0) break;
    found = { ...found, observed: [...found.observed, ...more] };
  }
  return found === input ? undefined : found;
}

function missingObjects({ objects, observed, gates = [] }: GeneratedPackage): JsonMap[] {
  const source = { objects: objects as ObjectSource[], observed: observed as ObjectSource[] };
  const { objects: rendered } = render(source, {
    namespace: 'default',
    keepOwnerReferences: true,
    onPending: 'skip',
    experimental: gates,
  });
  const known = new Set([...objects, ...observed].map(keyOf));
  return (rendered as unknown as JsonMap[])
    .flatMap((one) => [one, instanceOf(one)])
    .flatMap((one) => {
      if (known.has(keyOf(one))) return [];
      known.add(keyOf(one));
      const uid = `5f3c7d1e-0000-4000-9000-${String(known.size).padStart(12, '0')}`;
      const { name = '', namespace = '' } = one.metadata as JsonMap;
      const metadata = { name, ...(namespace === '' ? {} : { namespace }), uid, ...LIVE };
      return [{ apiVersion: one.apiVersion ?? '', kind: one.kind ?? '', metadata }];
    });
}

/** Returns the name of the instance that an object is rendered from. */
function instanceOf({ metadata }: JsonMap): JsonMap {
  const labels = ((metadata as JsonMap).labels ?? {}) as Record<string, string>;
  const label = (name: string): string => labels[`kro.run/instance-${name}`] ?? '';
  return {
    apiVersion: `${label('group')}/${label('version')}`,
    kind: label('kind'),
    metadata: { name: label('name'), namespace: label('namespace') },
  };
}

function keyOf({ apiVersion, kind, metadata }: JsonMap): string {
  // Objects without a namespace are in that of the instance.
  const { name, namespace } = metadata as JsonMap;
  return [apiVersion, kind, namespace || 'default', name].join(' ');
}
