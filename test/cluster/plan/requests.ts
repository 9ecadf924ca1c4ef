import fc from 'fast-check';
import { type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { planChange, planJson } from '../../../src/gitops/plan/index.ts';
import { isRgd } from '../../../src/kro/definition/read.ts';
import { defaultSettings } from '../../../src/render/options/index.ts';
import { toYaml } from '../../../src/yaml/emit/index.ts';
import { filesOf, type Texts } from '../../gitops/plan/repository.ts';
import { type Edit, edited, edits } from '../../properties/edits.ts';
import { type ApartCase, apart } from '../apart.ts';
import type { ClusterCase } from '../cases.ts';
import { readPackageText } from '../documents.ts';
import { instancesOf, placed, withoutReadiness } from '../fixtures.ts';
import { definedKinds, groupKind } from '../kinds.ts';
import { plannedChange } from './compare.ts';

interface PlannedObject {
  apiVersion: string;
  kind: string;
  namespace: string;
  name: string;
}

/** The parts of `plan -o json` that are compared. */
export interface PlanAnswer {
  applications: {
    added: PlannedObject[];
    changed: PlannedObject[];
    removed: PlannedObject[];
    moved?: { from: PlannedObject; to: PlannedObject }[];
    error?: string;
  }[];
  dangers: { code: string; message: string }[];
}

/** A change of a repository that contains one case. */
export interface PullRequest {
  /** The case, and the edits. */
  name: string;
  one: ApartCase;
  before: readonly KubeObject[];
  after: readonly KubeObject[];
  plan: PlanAnswer;
}

/** How many drawn edits in a hundred are taken if they change no object, and if they do not render. */
const UNCHANGED = 5;
const FAILING = 10;
/** How many drawn edits may be unsuitable for each pull request. */
const TRIES = 200;

const changes = fc.array(fc.tuple(fc.nat(), edits), { minLength: 1, maxLength: 3 });

/** Draws pull requests over the cases: every source gets as many, and each of its cases about as many. */
export function drawRequests(sources: readonly (readonly ClusterCase[])[], count: number, seed: number): PullRequest[] {
  const drawn = fc.sample(fc.tuple(fc.nat(), fc.nat(99), changes), { numRuns: count * TRIES, seed });
  const found: PullRequest[] = [];
  const taken = new Map<string, number>();
  for (const [which, percent, change] of drawn) {
    if (found.length === count) return found;
    const cases = sources[found.length % sources.length] ?? [];
    const one = cases[which % cases.length];
    const times = taken.get(one?.name ?? '') ?? 0;
    if (one === undefined || times >= Math.ceil(count / sources.length / cases.length)) continue;
    const request = requestOf(apart(one, found.length), change);
    if (request === undefined || percent >= shareOf(request.plan)) continue;
    taken.set(one.name, times + 1);
    found.push(request);
  }
  return found;
}

function requestOf(one: ApartCase, change: readonly [number, Edit][]): PullRequest | undefined {
  const before = repositoryOf(one);
  const isEditable = (path: string): boolean => !path.startsWith('crds/');
  const paths = Object.keys(before).filter(isEditable);
  let after: Texts = before;
  const told: string[] = [];
  for (const [at, edit] of change) {
    const path = paths[at % paths.length] ?? '';
    // A definition that is removed belongs to the platform, and kro keeps its CRD.
    if (!(path in after) || (edit.what === 'remove' && path.startsWith('platform/'))) continue;
    after = edited(after, path, edit);
    told.push(`${path} ${Object.values(edit).join(' ')}`);
  }
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = new Set(all.filter((path) => before[path] !== after[path]));
  const objects = Object.values(after).map(readPackageText);
  // A file that is not YAML, or no object, never reaches a cluster.
  if (changed.size === 0 || objects.some(({ length }) => length !== 1) || !objects.flat().every(isNamed))
    return undefined;
  // Another operator may define a kind that neither revision defines.
  const known = definedKinds([...one.objects, ...objects.flat()]);
  const isKnown = (object: KubeObject): boolean =>
    isRgd(object) || object.kind === 'CustomResourceDefinition' || known.byRgd.has(groupKind(object));
  if (!objects.flat().every(isKnown)) return undefined;
  const plan = planChange(
    { before: filesOf(before), after: filesOf(after), changed },
    { settings: { ...defaultSettings, namespace: 'default' }, urls: [], holdsData: [] },
  );
  return {
    name: `${one.name}: ${told.join(', ')}`,
    one,
    before: Object.values(before).flatMap(readPackageText),
    after: objects.flat(),
    plan: JSON.parse(planJson(plan)) as PlanAnswer,
  };
}

const isNamed = (object: KubeObject): boolean =>
  typeof object.apiVersion === 'string' && typeof object.kind === 'string' && nameOf(object) !== '';

function shareOf(plan: PlanAnswer): number {
  if (plan.applications.some(({ error }) => error !== undefined)) return FAILING;
  const { added, changed, removed } = plannedChange(plan);
  return added.length + changed.length + removed.length + plan.dangers.length > 0 ? 100 : UNCHANGED;
}

/** A file for each RGD and each instance. */
function repositoryOf(one: ApartCase): Texts {
  const instances = new Set(instancesOf(one));
  const files = one.objects.flatMap((object, index): [string, string][] => {
    if (isRgd(object)) return [[`platform/${index}.yaml`, toYaml([withoutReadiness(object)])]];
    if (instances.has(object)) return [[`apps/${index}.yaml`, toYaml([placed(object, one.namespace)])]];
    return object.kind === 'CustomResourceDefinition' ? [[`crds/${index}.yaml`, toYaml([object])]] : [];
  });
  return Object.fromEntries(files);
}
