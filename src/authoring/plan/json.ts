import { groupVersionKind, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { ObjectChange } from '../diff/index.ts';
import type { Plan, PlannedApplication, PlannedDanger } from './result.ts';

type Side = NonNullable<ObjectChange['after']>;

/** The version of the JSON; fields may be added, but no field changes its meaning within a version. */
const VERSION = 1n;

/**
 * Returns a plan as JSON: `applications`, each with `name`, `kind`, `path` and the objects `added`, `changed` and
 * `removed`, or an `error`; `dangers`, each with `code`, `application`, `object` and `message`. An object is an
 * `apiVersion`, `kind`, `namespace` and `name`. An object whose identity changes is both removed and added, and listed
 * under `moved`.
 */
export const planJson = (plan: Plan): string => visible(`${toJsonText(planValue(plan), 2)}\n`);

const planValue = ({ applications, dangers, found }: Plan): Value => ({
  version: VERSION,
  found: BigInt(found),
  applications: applications.map(applicationValue),
  dangers: dangers.map(dangerValue),
});

function applicationValue({ application: { name, kind, path }, changes, error }: PlannedApplication): ValueMap {
  const objects = (pick: (change: ObjectChange) => Side | undefined): Value[] =>
    changes.flatMap((change) => {
      const side = pick(change);
      return side === undefined ? [] : [objectValue(side)];
    });
  const isWhole = ({ change }: ObjectChange): boolean => change !== 'changed';
  const moved = changes.flatMap(({ change, before, after }) =>
    change === 'replaced' && before && after ? [{ from: objectValue(before), to: objectValue(after) }] : [],
  );
  return {
    name,
    kind,
    path,
    added: objects((change) => (isWhole(change) ? change.after : undefined)),
    changed: objects((change) => (isWhole(change) ? undefined : change.after)),
    removed: objects((change) => (isWhole(change) ? change.before : undefined)),
    ...(moved.length > 0 && { moved }),
    ...(error !== undefined && { error }),
  };
}

function dangerValue({ code, application, change, message }: PlannedDanger): ValueMap {
  const side = change?.after ?? change?.before;
  return { code, application: application.name, object: side === undefined ? null : objectValue(side), message };
}

/** A name that may be a value of a Secret is omitted. */
function objectValue({ object, nameless }: Side): ValueMap {
  const { group, version, kind } = groupVersionKind(object);
  // An object of a ResourceSet may lack an apiVersion.
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return nameless
    ? { apiVersion, kind, namespace: '', name: '(hidden)' }
    : { apiVersion, kind, namespace: namespaceOf(object), name: nameOf(object) };
}
