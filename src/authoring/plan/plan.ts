import { composeText, isError, publicText, type Report } from '../../core/diagnostics/index.ts';
import { identityOf } from '../../core/model/object.ts';
import { equal, type Value } from '../../core/model/value.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { compareVersions, type ObjectChange } from '../diff/index.ts';
import { type Application, applicationKey, type DiscoverOptions } from './application.ts';
import { breakingChanges } from './breaking.ts';
import { createCauses, groupChanges, instanceOf } from './causes.ts';
import { dangersOf } from './dangers/index.ts';
import { discover } from './discover/index.ts';
import type { Files } from './files.ts';
import { filesOf } from './files-of.ts';
import type { LoadContext, RunTool } from './load.ts';
import { createRepositories, indexKinds, type KindIndex, type Repository } from './repository.ts';
import type { Plan, PlannedApplication, PlannedDanger } from './result.ts';
import { type ApplicationVersion, renderApplication } from './version.ts';

export interface PlanInput {
  before: Files;
  after: Files;
  /** The paths that differ, including added and removed files. */
  changed: ReadonlySet<string>;
  /** Runs kustomize and helm in the files of a version; undefined if no tool may run. */
  run?: { before: RunTool; after: RunTool } | undefined;
}

export interface PlanOptions extends DiscoverOptions {
  /** Further kinds whose objects lose data when they are deleted, as `Kind.group`. */
  holdsData: readonly string[];
}

/**
 * Compares everything that is deployed from a repository before and after a change. An application without changed
 * files is not rendered. Pure, except for the tools that `input.run` runs.
 */
export function planChange(input: PlanInput, options: PlanOptions): Plan {
  const open = createRepositories();
  const [before, after] = (['before', 'after'] as const).map((side) =>
    createSide(open(input[side]), options, input.run?.[side]),
  ) as [Side, Side];
  const keys = [...new Set([...before.applications.keys(), ...after.applications.keys()])].sort();
  const compared = keys.map((key) => compareApplication(key, before, after, input.changed));
  const moved = movedObjects(compared);
  const shown = compared.filter(({ changes, error }) => changes.length > 0 || error !== undefined);
  const causeOf = createCauses(before.context, after.context);
  const dangers = shown.flatMap(({ application, changes, kept }) =>
    changes.flatMap((change): PlannedDanger[] => {
      const found = dangersOf(change, options.holdsData, isTakenOver(change, moved));
      if (found.length === 0) return [];
      const { at } = causeOf(change, kept);
      return found.map((danger) => ({ ...danger, application, change, ...(at && { at }) }));
    }),
  );
  return {
    applications: shown.map(({ reports: _, ...one }) => one),
    found: keys.length,
    groups: groupChanges(shown, causeOf),
    dangers: [...dangers, ...breakingChanges(before.context, after.context, input.changed)],
    reports: distinctReports(compared.flatMap(({ reports }) => reports)),
  };
}

interface Side {
  applications: ReadonlyMap<string, Application>;
  context: LoadContext;
}

/** Returns one version of a repository: its applications, and the context of their rendering. */
export function createSide(repository: Repository, options: PlanOptions, run: RunTool | undefined): Side {
  const kinds: KindIndex = indexKinds(repository);
  const found = discover(repository, kinds, options);
  return {
    applications: new Map(found.map((one) => [applicationKey(one), one])),
    context: { repository, kinds, settings: options.settings, run },
  };
}

interface Compared extends PlannedApplication {
  reports: readonly Report[];
}

const NOTHING: ApplicationVersion = { objects: [], reports: [] };

function compareApplication(key: string, before: Side, after: Side, changed: ReadonlySet<string>): Compared {
  const [old, newer] = [before.applications.get(key), after.applications.get(key)];
  const application = (newer ?? old) as Application;
  const unchanged = { application, changes: [], kept: new Set<string>(), reports: [] };
  const foreign = application.sources.find((source) => source.type === 'none');
  if (foreign?.type === 'none') return { ...unchanged, error: publicText`${foreign.reason}`, isForeign: true };
  if (
    old !== undefined &&
    newer !== undefined &&
    isSame(old, newer) &&
    !reads(old, before, changed) &&
    !reads(newer, after, changed)
  ) {
    return unchanged;
  }
  const [was, is] = [
    old === undefined ? NOTHING : renderApplication(old, before.context),
    newer === undefined ? NOTHING : renderApplication(newer, after.context),
  ];
  const problem = { ...(is.isForeign || was.isForeign ? { isForeign: true as const } : {}), reports: is.reports };
  if (is.error !== undefined) return { ...unchanged, ...problem, error: is.error };
  if (was.error !== undefined) {
    return { ...unchanged, ...problem, error: composeText`the older version is not rendered: ${was.error}` };
  }
  const { changes } = compareVersions(was.objects, is.objects);
  const ids = new Set(was.objects.map(({ object }) => instanceOf(object)));
  const kept = new Set(is.objects.map(({ object }) => instanceOf(object)).filter((id) => ids.has(id)));
  return { application, changes, kept, reports: is.reports };
}

const isSame = (one: Application, other: Application): boolean =>
  equal(one as unknown as Value, other as unknown as Value);

function reads(application: Application, { context }: Side, changed: ReadonlySet<string>): boolean {
  for (const file of filesOf(application, context.repository, context.kinds)) if (changed.has(file)) return true;
  return false;
}

/** Returns the objects that one application no longer renders and another one does. */
function movedObjects(compared: readonly Compared[]): ReadonlySet<string> {
  const changes = compared.flatMap((one) => one.changes);
  const added = new Set(
    changes.flatMap(({ before, after }) => (before === undefined && after ? [identityOf(after.object)] : [])),
  );
  const removed = changes.flatMap(({ before, after }) =>
    after === undefined && before ? [identityOf(before.object)] : [],
  );
  return new Set(removed.filter((identity) => added.has(identity)));
}

const isTakenOver = ({ before, after }: ObjectChange, moved: ReadonlySet<string>): boolean =>
  after === undefined && before !== undefined && moved.has(identityOf(before.object));

/** Removes duplicates: an error of an RGD that many applications read is reported once. */
function distinctReports(reports: readonly Report[]): Report[] {
  const seen = new Set<string>();
  return reports.filter((report) => {
    if (!isError(report)) return false;
    const { code, message, path, object, source } = report;
    const key = toJsonText([code, message, [...path], object ?? '', source?.file ?? '']);
    return !seen.has(key) && seen.add(key);
  });
}
