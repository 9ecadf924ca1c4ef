import { type ObjectChange, titleOfReviewed } from '../../../compare/diff/index.ts';
import type { Reviewed } from '../../../compare/review/index.ts';
import { composeText, joinTexts, type Text, trusted } from '../../../core/diagnostics/index.ts';
import { generateNameOf } from '../../../core/model/object.ts';
import {
  type Application,
  applicationKey,
  type PlannedChange,
  type PlannedDanger,
  titleOfApplication,
} from '../application.ts';
import { type Clusters, clusterOf, lostParts } from './clusters.ts';
import { withGeneral } from './general.ts';
import { isBuiltin, type Reference, referencesOf, type Target, targetKey, targetOf } from './references.ts';
import { shownObject } from './shown.ts';

/** What a change does to the connections between objects. */
interface Connection {
  application: Application;
  change: PlannedChange;
  reviewed: Reviewed;
  /** What it refers to, and did not before. */
  references: readonly Reference[];
  /** What it referred to before. */
  former: readonly Reference[];
  lost: { target: Target; parts: readonly string[] } | undefined;
  /** The object, if the application did not have it before. */
  added: Target | undefined;
}

/** Collects what changes of the connections between objects, and finds its dangers in the whole cluster. */
export class Connections {
  readonly #all: Connection[] = [];

  add(change: ObjectChange, planned: PlannedChange, reviewed: Reviewed): void {
    const old = shownObject(change.shown.before);
    const newer = shownObject(change.shown.after);
    const former = old === undefined ? [] : referencesOf(old);
    const known = new Set(former.map(referenceKey));
    const current = newer === undefined ? [] : referencesOf(newer);
    const references = current.filter((one) => !known.has(referenceKey(one)));
    const isDeleted = planned.fate === undefined || planned.fate.word === 'deleted';
    const isGone = change.change === 'removed' || change.change === 'replaced';
    const lost = isGone && !isDeleted ? undefined : lostParts(change);
    const { after } = change;
    const isNew = after !== undefined && change.change !== 'changed' && generateNameOf(after.object) === '';
    const added = isNew ? targetOf(after.object) : undefined;
    if (references.length === 0 && lost === undefined && added === undefined) return;
    const { application } = planned;
    this.#all.push({ application, change: planned, reviewed, references, former, lost, added });
  }

  /** Returns the dangers: what refers to nothing, and objects that two applications have. */
  dangersIn(before: Clusters, after: Clusters): PlannedDanger[] {
    const names = this.#all.flatMap(({ references, lost: gone, added }) => [
      ...references.map(({ target }) => target.name),
      ...(gone === undefined ? [] : [gone.target.name]),
      ...(added === undefined ? [] : [added.name]),
    ]);
    after.prepare(names);
    const lost = this.#all.flatMap((one) => lostDangers(one, after));
    const shared = sharedDangers(this.#all, after);
    // What is told of a deleted object is not told again of each object that refers to it.
    const told = new Set(
      this.#all.flatMap(({ lost: target, application }) =>
        target === undefined ? [] : [inCluster(application, target.target)],
      ),
    );
    const missing = this.#all.flatMap((one) => missingDangers(one, before, after, told));
    return [...lost, ...missing, ...shared];
  }
}

const referenceKey = ({ target, part }: Reference): string => `${targetKey(target)}${part ?? ''}`;

const inCluster = (application: Application, target: Target): string =>
  `${clusterOf(application)} ${targetKey(target)}`;

const kindOf = ({ kind }: Target): string => kind.slice(0, kind.indexOf('.'));

const titleOfTarget = (target: Target): Text => {
  const name = target.namespace === '' ? target.name : `${target.namespace}/${target.name}`;
  return composeText`${trusted.definition(kindOf(target))} ${trusted.redacted(name)}`;
};

const MOST_NAMED = 3;

/** Returns the first of several texts, and how many more there are. */
export function listed(texts: readonly Text[]): Text {
  const distinct = [...new Set(texts)];
  const more = distinct.length - MOST_NAMED;
  const named = joinTexts(distinct.slice(0, MOST_NAMED), ', ');
  return more > 0 ? composeText`${named} and ${more} more` : named;
}

/** Returns what still refers to an object that is deleted, or to a key or port that it no longer has. */
function lostDangers({ application, change, reviewed, lost }: Connection, after: Clusters): PlannedDanger[] {
  if (lost === undefined) return [];
  const cluster = clusterOf(application);
  const left = after.partsOfTarget(cluster, lost.target);
  const isGone = lost.parts.length === 0;
  if (isGone && left !== undefined) return [];
  const isLost = (part: string | undefined): boolean =>
    isGone || (part !== undefined && lost.parts.includes(part) && left?.has(part) !== true);
  const referrers = after.referrersOf(cluster, lost.target).filter(({ reference }) => isLost(reference.part));
  if (referrers.length === 0) return [];
  // A controller may create it again, such as that of an ExternalSecret with its name.
  if (isGone && after.mayBeCreated(cluster, lost.target)) return [];
  const names = referrers.map((one) =>
    applicationKey(one.application) === applicationKey(application)
      ? one.title
      : composeText`${one.title} of ${titleOfApplication(one.application)}`,
  );
  const parts = [...new Set(referrers.flatMap(({ reference }) => reference.part ?? []))];
  return withGeneral(reviewed, (title) => {
    const what = isGone
      ? composeText`${title} is deleted`
      : composeText`${title} no longer has ${trusted.redacted(parts.join(', '))}`;
    const message = composeText`${what}, which ${listed(names)} still ${referrers.length === 1 ? 'needs' : 'need'}`;
    return [{ code: 'danger-missing-reference', application, change, message }];
  });
}

/** Kinds that a repository usually has together with what refers to them. */
const OWN_KINDS: readonly string[] = [
  'ConfigMap.',
  'ServiceAccount.',
  'PersistentVolumeClaim.',
  'Service.',
  'Deployment.apps',
  'StatefulSet.apps',
];

/** Kinds whose controller writes a Secret, or that are one. */
const SECRETS: readonly string[] = ['Secret.', 'SealedSecret.bitnami.com', 'ExternalSecret.external-secrets.io'];

/** Returns what a new reference refers to that nothing has. What was referred to before, and is not here, is elsewhere. */
function missingDangers(
  { application, change, reviewed, references, former }: Connection,
  before: Clusters,
  after: Clusters,
  told: ReadonlySet<string>,
): PlannedDanger[] {
  const cluster = clusterOf(application);
  const own = after.applicationLike(application);
  const found = references.flatMap((reference): Text[] => {
    const { target, part, field } = reference;
    if (isBuiltin(target) || told.has(inCluster(application, target))) return [];
    const parts = after.partsOfTarget(cluster, target);
    const where = trusted.redacted(field);
    if (parts !== undefined) {
      const isMissing = part !== undefined && parts.size > 0 && !parts.has(part);
      if (!isMissing) return [];
      return [
        composeText`${where} refers to ${trusted.redacted(part)} of ${titleOfTarget(target)}, which does not have it`,
      ];
    }
    const isExpected = OWN_KINDS.includes(target.kind) || isSecretHere(own, target, after);
    const isReplaced = former.some(
      (one) =>
        one.field === field &&
        one.target.kind === target.kind &&
        before.partsOfTarget(cluster, one.target) !== undefined,
    );
    if (!isExpected && !isReplaced) return [];
    if (after.mayBeCreated(cluster, target)) return [];
    return [composeText`${where} refers to ${titleOfTarget(target)}, which nothing here has`];
  });
  return withGeneral(reviewed, (title) =>
    found.map((message) => ({
      code: 'danger-missing-reference',
      application,
      change,
      message: composeText`${title}: ${message}`,
    })),
  );
}

/** Reports whether an application has its Secrets itself, so that it should have this one too. */
function isSecretHere(application: Application | undefined, { kind }: Target, after: Clusters): boolean {
  if (kind !== 'Secret.' || application === undefined) return false;
  const kinds = after.factsOf(application)?.kinds;
  return SECRETS.some((one) => kinds?.has(one) === true);
}

/** Returns the objects that an application gets, and another one of the cluster has too. */
function sharedDangers(connections: readonly Connection[], after: Clusters): PlannedDanger[] {
  const found = new Map<string, { connection: Connection; other: Application; others: Text[] }>();
  for (const connection of connections) {
    const { application, added, reviewed } = connection;
    if (added === undefined || application.deployment.controller === '') continue;
    const owners = after.ownersOf(clusterOf(application), added);
    const other = owners.find((one) => applicationKey(one) !== applicationKey(application));
    if (other === undefined) continue;
    const names = [applicationKey(application), applicationKey(other)].sort();
    const key = JSON.stringify([clusterOf(application), ...names]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { connection, other, others: [] });
    else known.others.push(titleOfReviewed(reviewed));
  }
  return [...found.values()].flatMap(({ connection, other, others }) =>
    withGeneral(connection.reviewed, (title) => {
      const titles = [title, ...others];
      const message = composeText`${listed(titles)} ${new Set(titles).size === 1 ? 'is' : 'are'} in ${titleOfApplication(other)} too: each of them overwrites what the other applies`;
      return [
        { code: 'danger-shared-object', application: connection.application, change: connection.change, message },
      ];
    }),
  );
}
