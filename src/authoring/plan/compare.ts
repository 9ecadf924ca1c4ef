import { composeText, type Report, trusted } from '../../core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../core/model/render.ts';
import { equal, type Value } from '../../core/model/value.ts';
import { parentOf } from '../../core/text/paths.ts';
import { changesBetween, type ObjectChange } from '../diff/index.ts';
import type { Application, Fate } from './application.ts';
import { instanceOf } from './causes.ts';
import { type Danger, fateOf } from './dangers/index.ts';
import { deploymentDangers } from './deployments.ts';
import { filesOf } from './files-of.ts';
import type { Pair } from './pairs.ts';
import type { PlannedApplication } from './result.ts';
import type { Side } from './side.ts';
import type { ApplicationVersion } from './version.ts';

export interface Comparison extends Omit<PlannedApplication, 'changes'> {
  changes: readonly ObjectChange[];
  deployment: readonly Danger[];
  reports: readonly Report[];
  /** The ids of the instances that both versions have. */
  kept: ReadonlySet<string>;
  fates: ReadonlyMap<ObjectChange, Fate>;
}

export interface Sides {
  before: Side;
  after: Side;
  changed: ReadonlySet<string>;
}

const NOTHING: ApplicationVersion = { objects: [], reports: [] };

/** Compares the two versions of an application. */
export function compareApplication({ old, newer }: Pair, { before, after, changed }: Sides): Comparison {
  const application = (newer ?? old) as Application;
  const deployment = old === undefined || newer === undefined ? [] : deploymentDangers(old, newer);
  const event = newer === undefined ? ('removed' as const) : old === undefined ? ('added' as const) : undefined;
  const nothing = {
    ...{ application, changes: [], kept: new Set<string>(), fates: new Map(), deployment, reports: [] },
    ...(event && { event }),
  };
  const isAlike = old !== undefined && newer !== undefined && equal(old as unknown as Value, newer as unknown as Value);
  // A source that is not rendered here, or that the controller rejected before as it does now.
  const [foreign] = application.sources.flatMap((one) =>
    one.type === 'none' || (isAlike && one.type === 'fails') ? [one] : [],
  );
  if (foreign !== undefined) {
    const isUnaffected = isAlike && (foreign.type === 'fails' || foreign.elsewhere !== undefined);
    const reason = newer === undefined ? `it is deleted, and not rendered here: ${foreign.reason}` : foreign.reason;
    return { ...nothing, error: trusted.error(reason), isForeign: true, ...(isUnaffected && { isUnaffected }) };
  }
  if (isAlike && !reads(old, before, changed) && !reads(newer, after, changed)) return nothing;
  const unread = isAlike ? undefined : differingVariables(old, newer);
  if (unread !== undefined) {
    return {
      ...nothing,
      error: composeText`its variables are in the ${trusted.definition(unread)}, which is not read`,
      isForeign: true,
    };
  }
  const was = old === undefined ? NOTHING : before.render(old);
  const is = newer === undefined ? NOTHING : after.render(newer);
  const problem = { ...(is.isForeign || was.isForeign ? { isForeign: true as const } : {}), reports: is.reports };
  if (is.error !== undefined) return { ...nothing, ...problem, error: is.error };
  if (was.error !== undefined) {
    return { ...nothing, ...problem, error: composeText`the older version is not rendered: ${was.error}` };
  }
  const isMoved = old !== undefined && newer !== undefined && old.deployment.cluster !== newer.deployment.cluster;
  const changes = isMoved
    ? [...changesBetween(was.objects, []), ...changesBetween([], is.objects)]
    : changesBetween(was.objects, is.objects);
  const ids = new Set(was.objects.map(({ object }) => instanceOf(object)));
  const kept = new Set(is.objects.map(({ object }) => instanceOf(object)).filter((id) => ids.has(id)));
  return {
    ...nothing,
    changes,
    kept,
    fates: fatesOf(changes, { old, newer }, after.sets, isMoved ? LEFT : undefined),
    reports: is.reports.filter((one) => !isPatch(one) || !was.reports.some(repeats(one))),
  };
}

/** Reports what a node of a Graph changes of an object that it does not render. */
export const isPatch = ({ code }: Report): boolean => code === 'graph-patch';

const repeats =
  (one: Report) =>
  (other: Report): boolean =>
    other.message === one.message && other.object === one.object && other.node === one.node;

/** Returns an object with variables that only one version refers to, so that its values may change anything. */
function differingVariables(old: Application | undefined, newer: Application | undefined): string | undefined {
  if (old === undefined || newer === undefined) return undefined;
  const [was, is] = [old, newer].map(({ sources }) =>
    sources.flatMap((one) => (one.type === 'kustomize' ? (one.variables?.unread ?? []) : [])),
  ) as [string[], string[]];
  return is.find((one) => !was.includes(one)) ?? was.find((one) => !is.includes(one));
}

/** Objects in the former cluster of an application, of which its controller knows nothing any more. */
const LEFT: Fate = { word: 'orphaned', why: 'its cluster changes' };

function fatesOf(
  changes: readonly ObjectChange[],
  { old, newer }: Pair,
  sets: ReadonlySet<string>,
  left: Fate | undefined,
): Map<ObjectChange, Fate> {
  const fates = new Map<ObjectChange, Fate>();
  const own = (newer ?? old)?.deployment;
  const nameOfSet = old?.set && (JSON.parse(old.set) as string[]).slice(0, 2).join('/');
  const isWithSet = newer === undefined && nameOfSet !== undefined && !sets.has(nameOfSet);
  const deployment = own && isWithSet && own.onSetDelete ? { ...own, onDelete: own.onSetDelete } : own;
  for (const change of changes) {
    const { before, after } = change;
    const isGone = before !== undefined && (after === undefined || change.change === 'replaced');
    if (deployment === undefined) continue;
    if (isGone) fates.set(change, left ?? fateOf(before.object, deployment, newer === undefined ? 'delete' : 'prune'));
    else if (deployment.onPrune.word === 'suspended') fates.set(change, deployment.onPrune);
  }
  return fates;
}

function reads(application: Application, { context }: Side, changed: ReadonlySet<string>): boolean {
  if (context.settings.kro !== defaultRenderOptions.kro) return true;
  const { repository, kinds } = context;
  for (const file of filesOf(application, repository, kinds)) {
    const real = repository.tree.real(file);
    if (changed.has(file) || changed.has(real)) return true;
    // A folder above it is a link, which may be another one.
    for (let at = real === file ? '' : parentOf(file); at !== ''; at = parentOf(at)) if (changed.has(at)) return true;
  }
  return false;
}
