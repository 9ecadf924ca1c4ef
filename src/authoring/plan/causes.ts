import { publicText, type Text } from '../../core/diagnostics/index.ts';
import { type InputObject, type KubeObject, nameOf, type Source } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { originLabel } from '../../render/rerender/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { createLocator } from '../../yaml/locate/index.ts';
import { hunksOf, instanceOfReviewed, type ObjectChange } from '../diff/index.ts';
import type { LoadContext } from './load.ts';
import type { ChangeGroup, PlannedApplication } from './result.ts';

/** Groups changes with the same RGD field, or equal ones, in the order of the first of each. */
export function groupChanges(applications: readonly PlannedApplication[], causeOf: CauseOf): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup & { changes: ChangeGroup['changes'][number][] }>();
  for (const { application, changes, kept } of applications) {
    for (const change of changes) {
      const { kind } = ((change.after ?? change.before) as NonNullable<ObjectChange['after']>).object;
      const { text: cause, isRgd } = causeOf(change, kept);
      const isChanged = change.change === 'changed';
      const hunks = isChanged ? hunksOf(change) : undefined;
      const lines = isRgd && !isChanged ? [] : [(hunks ?? []).map(({ title, lines }) => [title, ...lines])];
      const key = toJsonText([cause, change.change, kind, ...lines]);
      const known = groups.get(key);
      if (known !== undefined) known.changes.push({ application, change });
      else {
        const group = { cause, change: change.change, kind, hunks: hunks ?? hunksOf(change) };
        groups.set(key, { ...group, changes: [{ application, change }] });
      }
    }
  }
  return [...groups.values()];
}

/** The cause of a change: a changed RGD, or else the instance of the object; '' for plain manifests. */
export interface Cause {
  text: Text;
  isRgd: boolean;
  /** The field of the RGD. */
  at?: { source: Source; path: Path };
}

/** `kept` contains the ids of the instances that both versions have. */
export type CauseOf = (change: ObjectChange, kept: ReadonlySet<string>) => Cause;

/** Returns a function that finds the cause of each change between two versions of a repository. */
export function createCauses(before: LoadContext, after: LoadContext): CauseOf {
  const locator = createLocator();
  const known = new Map<string, { rgd: InputObject; isChanged: boolean } | undefined>();
  const rgdOf = (kind: string): { rgd: InputObject; isChanged: boolean } | undefined => {
    if (!known.has(kind)) {
      const [old, newer] = [findRgd(kind, before), findRgd(kind, after)];
      const rgd = newer ?? old;
      known.set(kind, rgd === undefined ? undefined : { rgd, isChanged: !equal(old?.object, newer?.object) });
    }
    return known.get(kind);
  };
  return (change, kept) => {
    const reviewed = (change.after ?? change.before) as NonNullable<ObjectChange['after']>;
    const { object, place } = reviewed;
    const kind = `${originLabel(object, 'kro.run/instance-kind')}.${originLabel(object, 'kro.run/instance-group')}`;
    const found = place === undefined ? undefined : rgdOf(kind);
    const isPaired = change.before !== undefined && change.after !== undefined;
    if (found?.isChanged && (isPaired || kept.has(instanceOf(object)))) {
      const { rgd } = found;
      const { source } = rgd;
      const name = publicText`RGD ${nameOf(rgd.object)}`;
      if (source === undefined) return { text: name, isRgd: true };
      const path = templatePath(rgd, place?.node ?? '', change);
      const location = locator.locate({ text: source.text, document: source.document, path });
      const where = location === undefined ? source.file : `${source.file}:${location.line}`;
      return { text: publicText`${name} (${where})`, isRgd: true, at: { source, path } };
    }
    return { text: instanceOfReviewed(reviewed), isRgd: false };
  };
}

/** Returns the id of the instance of an object; '' without one. */
export const instanceOf = (object: KubeObject): string => originLabel(object, 'kro.run/instance-id');

function findRgd(kind: string, { kinds, repository }: LoadContext): InputObject | undefined {
  const file = kinds.get(kind)?.find(({ isRgd }) => isRgd);
  return file === undefined
    ? undefined
    : repository
        .objectsOf(file.path)
        .find(({ object }) => `${getAt(object, ['spec', 'schema', 'kind'])}` === kind.slice(0, kind.indexOf('.')));
}

/** Returns the field of the template that writes the first changed field, as deep as the template goes. */
function templatePath({ object }: InputObject, node: string, change: ObjectChange): Path {
  const resources = getAt(object, ['spec', 'resources']);
  const index = Array.isArray(resources) ? resources.findIndex((one) => get(one, 'id') === node) : -1;
  if (index < 0) return ['spec', 'resources'];
  const path: (string | number)[] = ['spec', 'resources', index];
  const template: Value | undefined = getAt(object, [...path, 'template']);
  if (template === undefined) return path;
  path.push('template');
  let at: Value | undefined = template;
  const [first] = change.fields;
  for (const step of (first?.path ?? '').split(/[.[]/)) {
    const next: Value | undefined = isMap(at) ? get(at, step) : undefined;
    if (next === undefined) break;
    path.push(step);
    at = next;
  }
  return path;
}
