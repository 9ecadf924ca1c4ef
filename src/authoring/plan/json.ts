import { groupVersionKind, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { isPlain } from './causes.ts';
import type { Plan, PlannedApplication, PlannedChange, PlannedDanger } from './result.ts';

type Side = NonNullable<PlannedChange['after']>;

/** The version of the JSON; fields may be added, but no field changes its meaning within a version. */
const VERSION = 1n;

/** Returns a plan as JSON, as data/plan.schema.json describes it. */
export const planJson = (plan: Plan): string => visible(`${toJsonText(planValue(plan), 2)}\n`);

const planValue = ({ applications, dangers, images, found, compared }: Plan): Value => ({
  version: VERSION,
  found: BigInt(found),
  compared: BigInt(compared),
  applications: applications.map(applicationValue),
  dangers: dangers.map(dangerValue),
  images: images.map(imageValue),
});

export const imageValue = ({ from, to, isFloating, count }: Plan['images'][number]): ValueMap => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(isFloating && { floating: true }),
  containers: BigInt(count),
});

function applicationValue({ application, event, changes, error, isForeign }: PlannedApplication): ValueMap {
  const { name, kind, path, namespace, qualifier, place, deployment } = application;
  const isWhole = ({ change }: PlannedChange): boolean => change !== 'changed';
  const wholes = (side: 'before' | 'after'): Value[] =>
    changes.filter(isWhole).flatMap(({ [side]: one }) => (one === undefined ? [] : [objectValue(one)]));
  const moved = changes.flatMap(({ change, before, after, fields }) =>
    change === 'replaced' && before && after ? [{ from: objectValue(before), to: objectValue(after), fields }] : [],
  );
  const outcomes = changes.flatMap(({ before, after, fate }): Value[] => {
    const side = before ?? after;
    return fate === undefined || side === undefined || isPlain(fate) ? [] : [{ object: objectValue(side), ...fate }];
  });
  return {
    ...{ name, kind, path },
    ...(namespace !== '' && { namespace }),
    ...(qualifier !== undefined && { place: qualifier }),
    ...(place !== '' && { declaredIn: place }),
    ...(deployment.controller !== '' && { controller: deployment.controller }),
    ...(event !== undefined && { event }),
    added: wholes('after'),
    changed: changes.flatMap((change) =>
      isWhole(change) || change.after === undefined ? [] : [{ ...objectValue(change.after), fields: change.fields }],
    ),
    removed: wholes('before'),
    ...(moved.length > 0 && { moved }),
    ...(outcomes.length > 0 && { outcomes }),
    ...(error !== undefined && { error, isRejected: isForeign !== true }),
  };
}

function dangerValue({ code, application, change, message, at, accepted }: PlannedDanger): ValueMap {
  const { name, kind, qualifier } = application;
  const side = change?.after ?? change?.before;
  return {
    ...{ code, application: name, applicationKind: kind },
    ...(qualifier !== undefined && { place: qualifier }),
    object: side === undefined ? null : objectValue(side),
    message,
    ...(at && { file: at.source.file }),
    ...(accepted !== undefined && { accepted }),
  };
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
