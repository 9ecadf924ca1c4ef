import { changesBetween, hunksOf, instanceOfReviewed, type ObjectChange } from '../../compare/diff/index.ts';
import { hiddenTitleOfReviewed } from '../../compare/review/index.ts';
import {
  composeText,
  HIDDEN,
  isError,
  nameText,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute, onceFor } from '../../core/model/lazily.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import { equal, get, getAt, listOf, type Path, type Value } from '../../core/model/value.ts';
import { parentOf } from '../../core/text/paths.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import { originLabel } from '../../render/rerender/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { createLocator, type Locator, locationOf } from '../../yaml/locate/index.ts';
import type {
  ApplicationVersion,
  Cause,
  ChangeGroup,
  Danger,
  PlannedApplication,
  PlannedChange,
} from './application.ts';
import { type Application, applicationKey, type Deployment, type Fate, titleOfApplication } from './application.ts';
import { CHART_KEPT, CHART_MIXED, chartChange } from './chart-version.ts';
import { createConfirmations } from './confirmations.ts';
import { deploymentDangers } from './dangers/index.ts';
import { fateOf, isNotCompared, lossOfObject, prunedFate, type Rest } from './fates.ts';
import { createIgnoring, type Ignoring } from './ignored.ts';
import type { LoadContext } from './load.ts';
import { pairGroup } from './pairs.ts';
import { differenceTest } from './rgd-parts.ts';
import type { Side } from './side.ts';
import { writtenChange } from './written.ts';

export interface Groups {
  /** Adds a change, and returns it as it is shown in its group. */
  add(change: ObjectChange, planned: PlannedChange, cause: Cause): PlannedChange;
  all(): ChangeGroup[];
}

/** Collects changes with the same RGD field, or equal ones, in the order of the first of each. */
export function createGroups(): Groups {
  const groups = new Map<string, ChangeGroup & { changes: PlannedChange[] }>();
  return {
    add(change, planned, cause) {
      const reviewed = (change.after ?? change.before) as NonNullable<ObjectChange['after']>;
      const kind = hiddenTitleOfReviewed(reviewed) === 'everything' ? HIDDEN : reviewed.object.kind;
      const isChanged = change.change === 'changed';
      const fate = isPlain(planned.fate) ? undefined : planned.fate;
      const known = JSON.stringify([cause.text, change.change, kind, fate?.word, fate?.why]);
      const key = isChanged ? known + differencesOf(change) : known;
      const group = groups.get(key);
      if (group !== undefined) {
        const alike = isChanged ? { ...planned, fields: group.changes[0]?.fields ?? [] } : planned;
        group.changes.push(alike);
        return alike;
      }
      const hunks = change.change === 'removed' ? [] : hunksOf(change);
      groups.set(key, { cause, change: change.change, kind, hunks, ...(fate && { fate }), changes: [planned] });
      return planned;
    },
    all: () => [...groups.values()],
  };
}

export const isPlain = (fate: Fate | undefined): boolean => fate?.word === 'deleted' && fate.why === '';

/** Returns what distinguishes changes of objects: their fields, and of long texts only the changed lines. */
function differencesOf(change: ObjectChange): string {
  const isLong = (value: Value | undefined): boolean => typeof value === 'string' && value.includes('\n');
  const { fields } = change;
  return fields.some(({ before, after }) => isLong(before) && isLong(after))
    ? toJsonText(hunksOf(change).map(({ title, lines }) => [title, ...lines]))
    : toJsonText(fields.map(({ path, ...values }) => [path, Object.entries(values)]) as unknown as Value);
}

/** Finds the cause of a change; `kept` are the ids of the instances that both versions have. */
export type CauseOf = (change: ObjectChange, kept: ReadonlySet<string>) => Cause;

/** Returns a function that finds the cause of each change. */
export function createCauses(before: LoadContext, after: LoadContext): CauseOf {
  const locator = createLocator();
  const rgdOf = onceFor((kind: string) => {
    const old = findRgd(kind, before);
    const newer = findRgd(kind, after);
    const rgd = newer ?? old;
    return rgd && { rgd, differsBehind: differenceTest(old?.object, newer?.object) };
  });
  const places = new Map<string, Cause>();
  return (change: ObjectChange, kept: ReadonlySet<string>): Cause => {
    const reviewed = (change.after ?? change.before) as NonNullable<ObjectChange['after']>;
    const { object, place } = reviewed;
    const kind = `${originLabel(object, 'kro.run/instance-kind')}.${originLabel(object, 'kro.run/instance-group')}`;
    const found = place === undefined ? undefined : rgdOf(kind);
    const isPaired = change.before !== undefined && change.after !== undefined;
    if (found !== undefined && (isPaired || kept.has(instanceOf(object)))) {
      const node = place?.node ?? '';
      const fields = isPaired ? change.fields.map(({ path }) => path) : [undefined];
      const isCause = (field: string | undefined): boolean => found.differsBehind(node, field);
      const index = fields.findIndex(isCause);
      if (index >= 0) {
        const field = fields[index];
        const key = JSON.stringify([kind, node, field]);
        return getOrCompute(places, key, () => causeIn(found.rgd, templatePath(found.rgd, node, field), locator));
      }
    }
    return { text: instanceOfReviewed(reviewed), isRgd: false };
  };
}

function causeIn(rgd: InputObject, path: Path, locator: Locator): Cause {
  const { source } = rgd;
  const name = composeText`RGD ${nameText(rgd.object, rgd.secret !== undefined)}`;
  if (source === undefined) return { text: name, isRgd: true };
  const location = locationOf(locator, { ...source, path: [] }, path);
  const where = location === undefined ? source.file : `${source.file}:${location.line}`;
  return {
    text: composeText`${name} (${trusted.file(where)})`,
    isRgd: true,
    at: { source, path, ...(location && { line: location.line }) },
  };
}

const instanceOf = (object: KubeObject): string => originLabel(object, 'kro.run/instance-id');

const findRgd = (kind: string, { repository }: LoadContext): InputObject | undefined =>
  repository.kinds.get(kind)?.find(({ definition }) => isRgd(definition.object))?.definition;

/** Returns the field of the template that writes the first changed field, as deep as the template goes. */
function templatePath({ object }: InputObject, node: string, field: string | undefined): Path {
  const resources = getAt(object, ['spec', 'resources']);
  const index = listOf(resources).findIndex((one) => get(one, 'id') === node);
  if (index < 0) return ['spec', 'resources'];
  const path: (string | number)[] = ['spec', 'resources', index];
  for (const step of ['template', ...(field ?? '').split(/[.[]/)]) {
    if (getAt(object, [...path, step]) === undefined) break;
    path.push(step);
  }
  return path;
}

/** What a comparison finds; `changes` are those of objects. */
export interface Comparison extends Omit<PlannedApplication, 'changes'> {
  changes: readonly ObjectChange[];
  deployment: readonly Danger[];
  /** How the older version of the application is deployed, with which its controller may still act. */
  older?: Deployment;
  reports: readonly Report[];
  kept: ReadonlySet<string>;
  fateIn: (change: ObjectChange) => Fate | undefined;
  /** The releases of Kubernetes that the newer version is for. */
  releases: NonNullable<ApplicationVersion['releases']>;
  /** Returns a change without the fields that its controller leaves as they are. */
  appliedOf: (change: ObjectChange) => ObjectChange;
}

/** Two versions of a repository, and the paths whose files differ. */
export interface Sides {
  before: Side;
  after: Side;
  changed: ReadonlySet<string>;
}

const NOTHING: ApplicationVersion = { objects: [], reports: [] };

const asIs = (change: ObjectChange): ObjectChange => change;

/** Compares the versions of an application; those of an unchanged one with unchanged files are not rendered. */
export function compareApplication(pair: Pair, sides: Sides): Comparison {
  const compared = compareVersions(pair, sides);
  return pair.asWritten === undefined ? compared : withoutFaultsOfWritten(compared, pair.asWritten);
}

/** What applies an application may mend what is wrong with it as it is written: nobody knows whether it fails. */
function withoutFaultsOfWritten(compared: Comparison, parent: Text): Comparison {
  const { error, isForeign, reports } = compared;
  if (error === undefined || isForeign) return compared;
  return {
    ...compared,
    error: composeText`${parent} applies it, and is not rendered; as it is written, it fails: ${error}`,
    isForeign: true,
    reports: reports.filter((one) => !isError(one)),
  };
}

function compareVersions(pair: Pair, sides: Sides): Comparison {
  const nothing = unchangedComparison(pair);
  if (pair.unknown !== undefined) return notRendered(nothing, pair.unknown);
  if (pair.failure !== undefined) return failedSync(nothing, pair.failure);
  const { old, newer } = pair;
  const isAlike = old !== undefined && newer !== undefined && equal(old as unknown as Value, newer as unknown as Value);
  const foreign = foreignSource(pair, isAlike);
  if (foreign !== undefined) return partialComparison(nothing, pair, foreign, sides);
  const { before, after, changed } = sides;
  const isRead = !isAlike || reads(old, before, changed) || reads(newer, after, changed);
  if (!isRead) return unreadComparison(nothing, newer, after);
  const unread = isAlike ? undefined : differingVariables(old, newer);
  if (unread !== undefined) {
    const where = composeText`its variables are in the ${trusted.definition(unread)}, which is not read`;
    return notRendered(nothing, where);
  }
  const chart = chartChange(old, newer, changed);
  if (chart === 'mixed') return notRendered(nothing, trusted.error(CHART_MIXED));
  const was = old === undefined ? NOTHING : before.render(old);
  const is = newer === undefined ? NOTHING : after.render(newer);
  if (is.error !== undefined || was.error !== undefined) return failedRendering(nothing, was, is);
  const compared = renderedComparison(nothing, pair, was, is);
  return chart === 'kept' ? { ...compared, fateIn: () => CHART_KEPT } : compared;
}

/** The comparison of an application in which nothing changes but its deployment. */
function unchangedComparison(pair: Pair): Comparison {
  const { old, newer, asWritten } = pair;
  const isPaired = old !== undefined && newer !== undefined;
  const event = eventOf(pair);
  return {
    application: present(pair),
    changes: [],
    kept: new Set<string>(),
    fateIn: () => undefined,
    appliedOf: asIs,
    deployment: isPaired ? deploymentDangers(old, newer) : [],
    ...(old && { older: old.deployment }),
    reports: [],
    releases: [],
    ...(event && { event }),
    ...(asWritten !== undefined && { asWritten }),
  };
}

function eventOf({ old, newer }: Pair): 'added' | 'removed' | undefined {
  if (newer === undefined) return 'removed';
  return old === undefined ? 'added' : undefined;
}

const notRendered = (nothing: Comparison, error: Text): Comparison => ({ ...nothing, error, isForeign: true });

/** Compares the sources of an application that are rendered here; another one is not. */
function partialComparison(nothing: Comparison, pair: Pair, foreign: Foreign, sides: Sides): Comparison {
  const { error, isUnaffected, written } = foreign;
  const left = {
    error,
    isForeign: true as const,
    ...(isUnaffected && { isUnaffected }),
    ...(written && { written }),
  };
  const rest = withoutForeign(pair);
  const compared = rest && compareApplication(rest, sides);
  // The other sources are compared for themselves, unless one of them is not rendered either.
  if (compared === undefined || compared.error !== undefined) return { ...nothing, ...left };
  return { ...compared, ...left, application: nothing.application, isPartly: true };
}

/** The comparison of an application none of whose files changes: it may still be one that cannot be rendered. */
function unreadComparison(nothing: Comparison, newer: Application, after: Side): Comparison {
  const hidden = after.isUnbuilt(newer) ? after.render(newer).error : undefined;
  if (hidden === undefined) return nothing;
  return { ...notRendered(nothing, hidden), isUnaffected: true };
}

/** The comparison of an application of which one version is not rendered. */
function failedRendering(nothing: Comparison, was: ApplicationVersion, is: ApplicationVersion): Comparison {
  const error = is.error ?? composeText`the older version is not rendered: ${was.error ?? ''}`;
  const isForeign = is.isForeign || was.isForeign;
  return { ...nothing, ...(isForeign && { isForeign: true as const }), reports: is.reports, error };
}

/** Compares the objects of two versions that are both rendered. */
function renderedComparison(
  nothing: Comparison,
  pair: Pair,
  was: ApplicationVersion,
  is: ApplicationVersion,
): Comparison {
  const { old, newer } = pair;
  const { application } = nothing;
  const isMoved = old !== undefined && newer !== undefined && old.deployment.cluster !== newer.deployment.cluster;
  const changes = isMoved
    ? [...changesBetween(was.objects, []), ...changesBetween([], is.objects)]
    : changesBetween(was.objects, is.objects);
  const ids = new Set(was.objects.map(({ object }) => instanceOf(object)));
  const kept = new Set(is.objects.map(({ object }) => instanceOf(object)).filter((id) => ids.has(id)));
  const ignoring = createIgnoring(application.deployment.ignores ?? []);
  return {
    ...nothing,
    changes,
    kept,
    fateIn: fatesOf(pair, { isMoved, rest: restOf(changes, was, is), ignoring }),
    appliedOf: ignoring.appliedOf,
    releases: is.releases ?? [],
    reports: is.reports.filter((one) => !isPatch(one) || !was.reports.some((other) => isRepeated(one, other))),
  };
}

/** The API server rejects an object of the newer version, so that nothing of it is applied. */
function failedSync(nothing: Comparison, error: Text): Comparison {
  const { application } = nothing;
  const [where = '.'] = [application.place, application.path].filter((one) => one !== '');
  const message = composeText`${trusted.file(where)}: ${error}`;
  const report: Report = { code: 'application-fails', message, path: [], object: titleOfApplication(application) };
  return { ...nothing, error, reports: [report] };
}

/** Returns the sources of a pair that are rendered here, if it has others too. */
function withoutForeign(pair: Pair): Pair | undefined {
  const { old, newer } = pair;
  const types = [old, newer].flatMap((one) => one?.sources.map(({ type }) => type) ?? []);
  const isSplit = types.includes('none') && types.some((type) => type !== 'none');
  if (!isSplit || types.includes('fails')) return undefined;
  return { ...pair, old: old && withoutForeignSources(old), newer: newer && withoutForeignSources(newer) };
}

export const withoutForeignSources = (application: Application): Application => ({
  ...application,
  sources: application.sources.filter(({ type }) => type !== 'none'),
});

interface Foreign {
  error: Text;
  isUnaffected: boolean;
  written?: Text | undefined;
}

/** Returns a source that is not rendered here, or that the controller rejected before as it does now. */
function foreignSource({ old, newer }: Pair, isAlike: boolean): Foreign | undefined {
  const [foreign] = present({ old, newer }).sources.flatMap((one) =>
    one.type === 'none' || (isAlike && one.type === 'fails') ? [one] : [],
  );
  if (foreign === undefined) return undefined;
  const isUnaffected = isAlike && (foreign.type === 'fails' || foreign.elsewhere !== undefined);
  const reason = newer === undefined ? `it is deleted, and not rendered here: ${foreign.reason}` : foreign.reason;
  const written = isUnaffected || old === undefined || newer === undefined ? undefined : writtenChange(old, newer);
  return { error: trusted.error(reason), isUnaffected, written };
}

/** Reports what a node of a Graph changes of an object that it does not render. */
export const isPatch = ({ code }: Report): boolean => code === 'graph-patch';

const isRepeated = (one: Report, other: Report): boolean =>
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

interface Circumstances {
  isMoved: boolean;
  rest: Rest;
  ignoring: Ignoring;
}

function restOf(changes: readonly ObjectChange[], was: ApplicationVersion, { objects }: ApplicationVersion): Rest {
  const isSynced = changes.every(({ before, after }) => after === undefined && before && isNotCompared(before.object));
  const removed = changes.flatMap(({ before, after, change }) =>
    before !== undefined && (after === undefined || change === 'replaced') ? [before] : [],
  );
  return { isEmptied: objects.length === 0, isSynced, confirmations: createConfirmations(was.objects, removed) };
}

function fatesOf(pair: Pair, { isMoved, rest, ignoring }: Circumstances): Comparison['fateIn'] {
  const { newer, isSetGone, fate } = pair;
  const own = present(pair).deployment;
  const deployment = isSetGone && own.onSetDelete ? { ...own, onDelete: own.onSetDelete } : own;
  return (change) => {
    const { before, after } = change;
    const isGone = before !== undefined && (after === undefined || change.change === 'replaced');
    if (isGone && isMoved) return LEFT;
    if (isGone && newer === undefined) {
      const loss = lossOfObject(before.object, deployment, 'delete', rest);
      return fate !== undefined && loss.word === 'deleted' ? fate : loss;
    }
    if (isGone) return prunedFate(before.object, pair.old?.deployment ?? deployment, deployment, rest);
    const left = after && fateOf(after.object, deployment, before === undefined ? 'create' : 'change', rest);
    return left ?? ignoring.fateOf(change) ?? releaseOf(before, after);
  };
}

/** Returns the changed fields that another controller may own: kro does not write them then, and the change has no effect. */
function releaseOf(before: ObjectChange['before'], after: ObjectChange['after']): Fate | undefined {
  if (before === undefined || after === undefined) return undefined;
  const isChanged = (path: Path): boolean => !equal(getAt(before.object, path), getAt(after.object, path));
  const released = (after.place?.released ?? []).filter(isChanged);
  const why = released.map((path) => path.join('.')).join(', ');
  return released.length === 0 ? undefined : { word: 'released', why: `externalFields: ${why}` };
}

function reads(application: Application, { context, filesOf }: Side, changed: ReadonlySet<string>): boolean {
  if (context.settings.kro !== defaultRenderOptions.kro) return true;
  const { repository } = context;
  for (const file of filesOf(application)) {
    const real = repository.tree.real(file);
    if (changed.has(file) || changed.has(real)) return true;
    // A folder above it is a link, which may be another one.
    for (let at = real === file ? '' : parentOf(file); at !== ''; at = parentOf(at)) if (changed.has(at)) return true;
  }
  return false;
}

/** The two versions of an application, as its controller has it in the cluster. */
export interface Pair {
  old: Application | undefined;
  newer: Application | undefined;
  /** The ApplicationSet that generated it is gone too. */
  isSetGone?: true;
  /** What happens to its objects, if what applied it decides. */
  fate?: Fate;
  /** What applies it and is not built, so that it is read as it is written. */
  asWritten?: Text;
  /** Why nobody knows what is deployed of it. */
  unknown?: Text;
  /** Its newer version, which its controller rejects. */
  rejected?: Application;
  /** Why what it applies is not applied. */
  failure?: Text;
}

/** Pairs applications of one kind, namespace and name by their place; one that is unique in both versions may move. */
export function pairsOf(before: readonly Application[], after: readonly Application[]): Pair[] {
  const old = groupBy(before, applicationKey);
  const newer = groupBy(after, applicationKey);
  const keys = [...new Set([...old.keys(), ...newer.keys()])].sort();
  return keys.flatMap((key) => pairGroup(old.get(key) ?? [], newer.get(key) ?? []));
}

const present = ({ old, newer }: Pair): Application => (newer ?? old) as Application;
