import { composeText, trusted } from '../../core/diagnostics/index.ts';
import { getOrCompute, onceFor } from '../../core/model/lazily.ts';
import { type InputObject, type KubeObject, nameOf } from '../../core/model/object.ts';
import { equal, get, getAt, listOf, type Path, type Value } from '../../core/model/value.ts';
import { originLabel } from '../../render/rerender/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { createLocator, locationOf } from '../../yaml/locate/index.ts';
import { hunksOf, instanceOfReviewed, type ObjectChange } from '../diff/index.ts';
import type { Fate } from './application.ts';
import type { LoadContext } from './load.ts';
import type { Cause, ChangeGroup, PlannedChange } from './result.ts';

/** Collects changes with the same RGD field, or equal ones, in the order of the first of each. */
export function createGroups() {
  const groups = new Map<string, ChangeGroup & { changes: PlannedChange[] }>();
  return {
    add: (change: ObjectChange, planned: PlannedChange, cause: Cause): PlannedChange => {
      const { kind } = ((change.after ?? change.before) as NonNullable<ObjectChange['after']>).object;
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
    all: (): ChangeGroup[] => [...groups.values()],
  };
}

/** Reports whether an object is just deleted. */
export const isPlain = (fate: Fate | undefined): boolean => fate?.word === 'deleted' && fate.why === '';

/** Returns what distinguishes changes of objects: their fields, and of long texts only the changed lines. */
function differencesOf(change: ObjectChange): string {
  const isLong = (value: Value | undefined): boolean => typeof value === 'string' && value.includes('\n');
  const { fields } = change;
  return fields.some(({ before, after }) => isLong(before) && isLong(after))
    ? toJsonText(hunksOf(change).map(({ title, lines }) => [title, ...lines]))
    : toJsonText(fields.map(({ path, ...values }) => [path, Object.entries(values)]) as unknown as Value);
}

/**
 * Returns a function that finds the cause of each change between two versions of a repository; `kept` contains the ids
 * of the instances that both versions have.
 */
export function createCauses(before: LoadContext, after: LoadContext) {
  const locator = createLocator();
  const rgdOf = onceFor((kind: string) => {
    const [old, newer] = [findRgd(kind, before), findRgd(kind, after)];
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

function causeIn(rgd: InputObject, path: Path, locator: ReturnType<typeof createLocator>): Cause {
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

/** Returns the id of the instance of an object; '' without one. */
export const instanceOf = (object: KubeObject): string => originLabel(object, 'kro.run/instance-id');

function findRgd(kind: string, { repository }: LoadContext): InputObject | undefined {
  const file = repository.kinds.get(kind)?.find(({ isRgd }) => isRgd);
  const objects = file === undefined ? [] : repository.objectsOf(file.path);
  return objects.find(({ object }) => kind.startsWith(`${getAt(object, ['spec', 'schema', 'kind'])}.`));
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
