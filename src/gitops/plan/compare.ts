import { changesBetween, hunksOf, instanceOfReviewed, type ObjectChange } from '../../compare/diff/index.ts';
import { hiddenTitleOfReviewed } from '../../compare/review/index.ts';
import { composeText, HIDDEN, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute, onceFor } from '../../core/model/lazily.ts';
import { type InputObject, type KubeObject, nameOf } from '../../core/model/object.ts';
import { equal, get, getAt, listOf, type Path, type Value } from '../../core/model/value.ts';
import { parentOf } from '../../core/text/paths.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
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
import { type Application, applicationKey, type Fate, titleOfApplication } from './application.ts';
import { deploymentDangers } from './dangers/index.ts';
import { fateOf } from './discover/deployment.ts';
import { filesOf } from './files-of.ts';
import type { LoadContext } from './load.ts';
import type { Side } from './side.ts';

interface Groups {
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
type CauseOf = (change: ObjectChange, kept: ReadonlySet<string>) => Cause;

/** Returns a function that finds the cause of each change. */
export function createCauses(before: LoadContext, after: LoadContext): CauseOf {
  const locator = createLocator();
  const rgdOf = onceFor((kind: string) => {
    const old = findRgd(kind, before);
    const newer = findRgd(kind, after);
    const rgd = newer ?? old;
    return rgd && { rgd, isChanged: !equal(old?.object, newer?.object) };
  });
  const places = new Map<string, Cause>();
  return (change: ObjectChange, kept: ReadonlySet<string>): Cause => {
    const reviewed = (change.after ?? change.before) as NonNullable<ObjectChange['after']>;
    const { object, place } = reviewed;
    const kind = `${originLabel(object, 'kro.run/instance-kind')}.${originLabel(object, 'kro.run/instance-group')}`;
    const found = place === undefined ? undefined : rgdOf(kind);
    const isPaired = change.before !== undefined && change.after !== undefined;
    if (found?.isChanged && (isPaired || kept.has(instanceOf(object)))) {
      const node = place?.node ?? '';
      const key = JSON.stringify([kind, node, change.fields[0]?.path]);
      return getOrCompute(places, key, () => causeIn(found.rgd, templatePath(found.rgd, node, change), locator));
    }
    return { text: instanceOfReviewed(reviewed), isRgd: false };
  };
}

function causeIn(rgd: InputObject, path: Path, locator: Locator): Cause {
  const { source } = rgd;
  const name = composeText`RGD ${trusted.definition(nameOf(rgd.object))}`;
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

function findRgd(kind: string, { repository }: LoadContext): InputObject | undefined {
  const file = repository.kinds.get(kind)?.find(({ isRgd }) => isRgd);
  const objects = file === undefined ? [] : repository.objectsOf(file.path);
  return objects.find(({ object }) => isRgd(object) && definedKind(object) === kind);
}

/** Returns the field of the template that writes the first changed field, as deep as the template goes. */
function templatePath({ object }: InputObject, node: string, change: ObjectChange): Path {
  const resources = getAt(object, ['spec', 'resources']);
  const index = listOf(resources).findIndex((one) => get(one, 'id') === node);
  if (index < 0) return ['spec', 'resources'];
  const path: (string | number)[] = ['spec', 'resources', index];
  for (const step of ['template', ...(change.fields[0]?.path ?? '').split(/[.[]/)]) {
    if (getAt(object, [...path, step]) === undefined) break;
    path.push(step);
  }
  return path;
}

interface Comparison extends Omit<PlannedApplication, 'changes'> {
  changes: readonly ObjectChange[];
  deployment: readonly Danger[];
  reports: readonly Report[];
  kept: ReadonlySet<string>;
  fateIn: (change: ObjectChange) => Fate | undefined;
}

interface Sides {
  before: Side;
  after: Side;
  changed: ReadonlySet<string>;
}

const NOTHING: ApplicationVersion = { objects: [], reports: [] };

export function compareApplication({ old, newer }: Pair, { before, after, changed }: Sides): Comparison {
  const application = present({ old, newer });
  const deployment = old === undefined || newer === undefined ? [] : deploymentDangers(old, newer);
  const event = newer === undefined ? ('removed' as const) : old === undefined ? ('added' as const) : undefined;
  const nothing = {
    application,
    changes: [],
    kept: new Set<string>(),
    fateIn: () => undefined,
    deployment,
    reports: [],
    ...(event && { event }),
  };
  const notRendered = (error: Text): Comparison => ({ ...nothing, error, isForeign: true });
  const isAlike = old !== undefined && newer !== undefined && equal(old as unknown as Value, newer as unknown as Value);
  // A source that is not rendered here, or that the controller rejected before as it does now.
  const [foreign] = application.sources.flatMap((one) =>
    one.type === 'none' || (isAlike && one.type === 'fails') ? [one] : [],
  );
  if (foreign !== undefined) {
    const isUnaffected: boolean = isAlike && (foreign.type === 'fails' || foreign.elsewhere !== undefined);
    const reason = newer === undefined ? `it is deleted, and not rendered here: ${foreign.reason}` : foreign.reason;
    return { ...notRendered(trusted.error(reason)), ...(isUnaffected && { isUnaffected }) };
  }
  if (isAlike && !reads(old, before, changed) && !reads(newer, after, changed)) return nothing;
  const unread = isAlike ? undefined : differingVariables(old, newer);
  if (unread !== undefined)
    return notRendered(composeText`its variables are in the ${trusted.definition(unread)}, which is not read`);
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
    fateIn: fatesOf({ old, newer }, after.sets, isMoved),
    reports: is.reports.filter((one) => !isPatch(one) || !was.reports.some((other) => isRepeated(one, other))),
  };
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

function fatesOf({ old, newer }: Pair, sets: ReadonlySet<string>, isMoved: boolean): Comparison['fateIn'] {
  const own = present({ old, newer }).deployment;
  const nameOfSet = old?.set && (JSON.parse(old.set) as string[]).slice(0, 2).join('/');
  const isWithSet = newer === undefined && nameOfSet !== undefined && !sets.has(nameOfSet);
  const deployment = isWithSet && own.onSetDelete ? { ...own, onDelete: own.onSetDelete } : own;
  return ({ change, before, after }) => {
    const isGone = before !== undefined && (after === undefined || change === 'replaced');
    if (!isGone && deployment.onPrune.word === 'suspended') return deployment.onPrune;
    if (!isGone) return releaseOf(before, after);
    return isMoved ? LEFT : fateOf(before.object, deployment, newer === undefined ? 'delete' : 'prune');
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

function reads(application: Application, { context }: Side, changed: ReadonlySet<string>): boolean {
  if (context.settings.kro !== defaultRenderOptions.kro) return true;
  const { repository } = context;
  for (const file of filesOf(application, repository)) {
    const real = repository.tree.real(file);
    if (changed.has(file) || changed.has(real)) return true;
    // A folder above it is a link, which may be another one.
    for (let at = real === file ? '' : parentOf(file); at !== ''; at = parentOf(at)) if (changed.has(at)) return true;
  }
  return false;
}

interface Pair {
  old: Application | undefined;
  newer: Application | undefined;
}

/** Pairs applications of one kind, namespace and name by their place; one that is unique in both versions may move. */
export function pairsOf(before: readonly Application[], after: readonly Application[]): Pair[] {
  const old = groupBy(before, applicationKey);
  const newer = groupBy(after, applicationKey);
  const keys = [...new Set([...old.keys(), ...newer.keys()])].sort();
  const pairs = keys.flatMap((key) => pairGroup(old.get(key) ?? [], newer.get(key) ?? []));
  const titles = groupBy(pairs, titleOf);
  return pairs.map((pair) => qualified(pair, titles.get(titleOf(pair)) ?? []));
}

const present = ({ old, newer }: Pair): Application => (newer ?? old) as Application;
const titleOf = (pair: Pair): string => titleOfApplication(present(pair));

function pairGroup(old: readonly Application[], newer: readonly Application[]): Pair[] {
  const left = [...newer];
  const pairs = old.map((one): Pair => {
    const at = left.findIndex(({ place }) => place === one.place);
    return { old: one, newer: at < 0 ? undefined : left.splice(at, 1)[0] };
  });
  const [gone, second] = pairs.filter((pair) => pair.newer === undefined);
  if (gone !== undefined && second === undefined && left.length === 1) gone.newer = left.pop();
  return [...pairs, ...left.map((one): Pair => ({ old: undefined, newer: one }))];
}

/** Names what distinguishes an application from others of its kind and name: its place, and its namespace if that is not enough. */
function qualified(pair: Pair, alike: readonly Pair[]): Pair {
  if (alike.length === 1) return pair;
  const placeOf = ({ place, path }: Application): string => place || path;
  const isEnough = alike.filter((one) => placeOf(present(one)) === placeOf(present(pair))).length === 1;
  const named = (one: Application | undefined): Application | undefined =>
    one && { ...one, qualifier: isEnough || one.namespace === '' ? placeOf(one) : `${one.namespace}, ${placeOf(one)}` };
  return { old: named(pair.old), newer: named(pair.newer) };
}
