import page from '../../../data/plan-page.json';
import { groupVersionKind, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { ChangeGroup, Plan, PlannedApplication, PlannedChange, PlannedDanger } from './application.ts';
import { titleOfApplication } from './application.ts';
import { isPlain } from './compare.ts';
import {
  distinctDangers,
  type Links,
  NO_LINKS,
  notRendered,
  summaryOf,
  titleOfChange,
  urlOfApplication,
  urlOfCause,
} from './text.ts';

type Side = NonNullable<PlannedChange['after']>;

/** The version of the JSON; fields may be added, but no field changes its meaning within a version. */
const JSON_VERSION = 1n;

export const planJson = (plan: Plan): string => visible(`${toJsonText(planValue(plan), 2)}\n`);

const planValue = ({ applications, dangers, images, found, compared }: Plan): Value => ({
  version: JSON_VERSION,
  found: BigInt(found),
  compared: BigInt(compared),
  applications: applications.map(applicationValue),
  dangers: dangers.map(dangerValue),
  images: images.map(imageValue),
});

const imageValue = ({ from, to, isFloating, count }: Plan['images'][number]): ValueMap => ({
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

/** Returns a plan as one HTML file that needs no network: its policy allows nothing but its own script and style. */
export function planHtml(plan: Plan, links: Links = NO_LINKS): string {
  // In a script element only `<` can end or hide anything.
  const data = visible(toJsonText(pageValue(plan, links))).replaceAll('<', '\\u003c');
  return `${page.start}${data}${page.end}`;
}

/** Returns what the script of the page reads (tools/plan-page/page.js). */
function pageValue(plan: Plan, links: Links): ValueMap {
  const { errors, foreign } = notRendered(plan);
  const groupOf = new Map(plan.groups.flatMap(({ changes }, index) => changes.map((one) => [one, index] as const)));
  const dangerous = new Set(plan.dangers.flatMap(({ change }) => change ?? []));
  const changeValue = (change: PlannedChange): (bigint | string | boolean | null)[] => [
    BigInt(groupOf.get(change) ?? 0),
    titleOfChange({ ...change, loss: undefined }),
    change.loss ?? null,
    dangerous.has(change),
  ];
  return {
    summary: summaryOf(plan),
    ...{ errors, foreign },
    dangers: distinctDangers(plan).map(({ code, text, at, accepted, dangers }) => ({
      ...{ code, text, url: urlOfCause({ at }, links), count: BigInt(dangers.length) },
      ...(accepted !== undefined && { accepted }),
    })),
    images: plan.images.map(imageValue),
    groups: plan.groups.map((group) => groupValue(group, links)),
    applications: plan.applications
      .filter(({ changes }) => changes.length > 0)
      .map(({ application, event, changes }) => ({
        title: titleOfApplication(application),
        ...(event !== undefined && { event }),
        url: urlOfApplication({ application, event }, links),
        changes: changes.map(changeValue).sort(([one], [other]) => Number(one) - Number(other)),
      })),
  };
}

const groupValue = ({ cause, change, fate, changes, hunks }: ChangeGroup, links: Links): ValueMap => ({
  ...{ cause: cause.text, change, url: urlOfCause(cause, links) },
  ...(fate && { fate: fate.why === '' ? fate.word : `${fate.word}: ${fate.why}` }),
  // Objects with the same cause may differ in what an added or replaced one contains.
  ...(change !== 'changed' && changes[0] && { first: titleOfChange({ ...changes[0], loss: undefined }) }),
  hunks: change === 'removed' ? [] : hunks.map(({ title, lines }) => ({ title, lines: [...lines] })),
});
