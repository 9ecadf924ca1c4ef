export { createImages, type Images, imagesIn } from './fields.ts';

import type { Accepted } from '../../../check/rules/index.ts';
import { comparePackages } from '../../../compare/compat/index.ts';
import {
  type ChangeWarning,
  DANGER_CODES,
  type Denial,
  type ObjectChange,
  titleOfReviewed,
  warningsOf,
} from '../../../compare/diff/index.ts';
import type { Reviewed } from '../../../compare/review/index.ts';
import { composeText, type Report, type Text, trusted } from '../../../core/diagnostics/index.ts';
import { groupBy } from '../../../core/model/group-by.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { groupKind, groupVersionKind, type KubeObject, nameOf, titleOf } from '../../../core/model/object.ts';
import { ownValue } from '../../../core/model/value.ts';
import { isRgd } from '../../../kro/definition/index.ts';
import type { Danger, Plan, PlannedDanger } from '../application.ts';
import {
  type Application,
  applicationAt,
  applicationKey,
  type Deployment,
  type Fate,
  type Takeover,
  titleOfApplication,
} from '../application.ts';
import { isNewEachTime, isRecreated } from '../fates.ts';
import type { LoadContext } from '../load.ts';
import type { Repository } from '../repository.ts';
import { definitionsFor } from '../repository.ts';
import { listed } from './connections.ts';
import { fieldDangers, protectionOf } from './fields.ts';
import { withGeneral } from './general.ts';
import { shownObject } from './shown.ts';

/** What decides whether a change is a danger. */
export interface DangerContext {
  holdsData: readonly string[];
  fate: Fate | undefined;
  deployment: Deployment;
  /** What another application does that has a removed object too. */
  takeover: Takeover | undefined;
  denied: () => readonly Denial[];
  /** Reports whether something else in the cluster serves a host. */
  isServed: (host: string) => boolean;
  /** Returns the other applications whose objects are deleted with a removed one: with a Namespace, or a CRD. */
  dependents: (object: KubeObject) => readonly Text[];
}

/** What is known of a change, with what its object is called in messages. */
interface TitledContext extends DangerContext {
  title: Text;
}

export function dangersOf(change: ObjectChange, context: DangerContext): readonly Danger[] {
  const reviewed = (change.before ?? change.after) as Reviewed;
  const denied = lazily(context.denied);
  return withGeneral(reviewed, (title) => dangersOfTitled(change, { ...context, denied, title }));
}

/** An object that another application takes over, or that its controller keeps, is not deleted. */
function dangersOfTitled(change: ObjectChange, context: TitledContext): readonly Danger[] {
  const { before, after } = change;
  const { holdsData, fate, takeover, title } = context;
  const isReplaced = change.change === 'replaced';
  const isRemoved = before !== undefined && (after === undefined || isReplaced);
  const isLeft = fate?.word === 'kept' || (isRemoved && fate?.word === 'orphaned');
  if (isLeft) {
    // The older object stays, and the newer one is created beside it.
    return isReplaced && after !== undefined ? dangersInFields(change, undefined, context) : [];
  }
  if (takeover !== undefined && before !== undefined && after === undefined)
    return takeoverDangers(change, title, holdsData, takeover);
  const dangers = [...changeDangers(change, isRemoved, context)];
  if (!isRemoved) return [...dangers, ...dangersInFields(change, shownObject(change.shown.before), context)];
  return [
    ...dangers,
    ...deletionDangers(before.object, title),
    ...dangersOfDeletedFields(change, context),
    ...dangersInFields(change, undefined, context),
  ];
}

/** Returns what the kinds of objects and the policies say of a change. */
function changeDangers(change: ObjectChange, isRemoved: boolean, context: TitledContext): Danger[] {
  const { title, holdsData, deployment, denied, dependents } = context;
  const { before } = change;
  const others = isRemoved && before !== undefined ? dependents(before.object) : [];
  const more = others.length === 0 ? composeText`` : composeText`, such as those of ${listed(others)}`;
  const dangers: Danger[] = [];
  for (const { kind, message } of changeWarnings(change, title, holdsData, deployment))
    dangers.push({ code: DANGER_CODES[kind], message: composeText`${message}${more}` });
  for (const { says } of denied()) dangers.push({ code: 'danger-denied', message: composeText`${title}: ${says}` });
  return dangers;
}

/** Returns the dangers in the fields of the newer object, beside those of `old`; without it, the object is new. */
function dangersInFields(change: ObjectChange, old: KubeObject | undefined, context: TitledContext): Danger[] {
  const newer = shownObject(change.shown.after);
  return newer === undefined ? [] : titledDangers(context.title, fieldDangers(old, newer, context.isServed));
}

function dangersOfDeletedFields(change: ObjectChange, { title, isServed }: TitledContext): Danger[] {
  return titledDangers(title, fieldDangers(shownObject(change.shown.before), undefined, isServed));
}

function titledDangers(title: Text, dangers: Iterable<Danger>): Danger[] {
  return [...dangers].map(({ code, message }) => ({ code, message: composeText`${title}: ${message}` }));
}

/** Returns what others lose with a deleted object. */
function deletionDangers(object: KubeObject, title: Text): readonly Danger[] {
  const dangers: Danger[] = [];
  if (groupKind(groupVersionKind(object)) === 'Secret.') {
    const message = composeText`${title} is deleted: objects of others may read it`;
    dangers.push({ code: 'danger-secret-deleted', message });
  }
  const lost = protectionOf(object);
  if (lost !== undefined) {
    const message = composeText`${title} is deleted: ${trusted.definition(lost)}`;
    dangers.push({ code: 'danger-protection-removed', message });
  }
  return dangers;
}

/** Leaves out immutable fields of what is deleted before it is created again. */
function changeWarnings(
  change: ObjectChange,
  title: Text,
  holdsData: readonly string[],
  deployment: Deployment,
): readonly ChangeWarning[] {
  const { before, after } = change;
  const found = warningsOf(change, holdsData, title);
  if (before === undefined || after === undefined || change.change === 'replaced') return found;
  if (!isRecreated(after.object, deployment)) return found;
  if (isNewEachTime(after.object, deployment)) return [];
  // Argo CD does it for each change, Flux only if the API server rejects one.
  const isDeleted = deployment.controller === 'Argo CD' || found.length > 0;
  const { after: _, ...removed } = change;
  return isDeleted ? warningsOf({ ...removed, change: 'removed' }, holdsData, title) : [];
}

/** An object with data that its new application applies too late is lost. */
function takeoverDangers(
  change: ObjectChange,
  title: Text,
  holdsData: readonly string[],
  takeover: Takeover,
): Danger[] {
  const { by, loss } = takeover;
  if (loss === 'none') return [];
  const what = loss === 'may' ? composeText`may be deleted` : composeText`is deleted`;
  const where = titleOfApplication(by);
  return warningsOf(change, holdsData, title).map(({ kind }) => ({
    code: DANGER_CODES[kind],
    message: composeText`${title} ${what} with its data, and created again empty by ${where}, unless that applies it first`,
    takeover,
  }));
}

export function deploymentDangers(old: Application, newer: Application): Danger[] {
  const was = old.deployment;
  const is = newer.deployment;
  const dangers: Danger[] = [];
  if (was.cluster !== is.cluster) {
    const message = composeText`its cluster changes from '${trusted.definition(was.cluster)}' to '${trusted.definition(is.cluster)}': its objects are left in the old one, and created in the new one`;
    dangers.push({ code: 'danger-destination', message });
  }
  if (was.namespace !== is.namespace) {
    const message = composeText`the namespace of its destination changes from '${trusted.definition(was.namespace)}' to '${trusted.definition(is.namespace)}'`;
    dangers.push({ code: 'danger-destination', message });
  }
  const fields = new Set([...Object.keys(was.settings), ...Object.keys(is.settings)]);
  for (const field of [...fields].sort()) {
    const before = ownValue(was.settings, field);
    const after = ownValue(is.settings, field);
    const isHarmless = field === 'spec.deletionPolicy' && is.onDelete.word !== 'deleted';
    if (before === after || isHarmless) continue;
    const message = composeText`${trusted.definition(field)} changes from ${trusted.definition(before ?? 'nothing')} to ${trusted.definition(after ?? 'nothing')}`;
    dangers.push({ code: 'danger-application', message });
  }
  return dangers;
}

/** Reports applications that get a namesake in their cluster: it is unknown which of them is deployed. */
export function namesakeDangers(before: readonly Application[], after: readonly Application[]): PlannedDanger[] {
  const old = namesakes(before);
  const newer = namesakes(after);
  return [...newer].flatMap(([key, those]): PlannedDanger[] => {
    const [application, second] = those;
    if (application === undefined || second === undefined || those.length <= (old.get(key)?.length ?? 0)) return [];
    const places = those.map(({ place }) => place).join(', ');
    const message = composeText`it is declared ${those.length} times (${trusted.file(places)}), and only one of them can be deployed`;
    return [{ code: 'danger-same-name', application, message }];
  });
}

/** Flux applies a Kustomization in its own cluster, and Argo CD has one cluster for all Applications of a repository. */
const namesakes = (applications: readonly Application[]): Map<string, Application[]> =>
  groupBy(applications, (one) => {
    const { controller, cluster } = one.deployment;
    return controller === '' ? undefined : `${controller === 'Argo CD' ? '' : cluster} ${applicationKey(one)}`;
  });

/** Returns the kinds that each of these files defines. */
function definedKindsIn(paths: readonly string[], { kinds }: Repository): Map<string, string[]> {
  const found = new Map<string, string[]>(paths.map((path) => [path, []]));
  for (const [kind, files] of kinds) for (const { path } of files) found.get(path)?.push(kind);
  return found;
}

/** Returns the changes of RGDs that kro refuses, and those that it accepts without comparing them. */
export function schemaDangers(
  before: LoadContext,
  after: LoadContext,
  changed: ReadonlySet<string>,
  conservative: boolean,
): PlannedDanger[] {
  const rgds = before.repository
    .manifestsWith('ResourceGraphDefinition')
    .filter((path) => changed.has(path) && before.repository.objectsOf(path).some(({ object }) => isRgd(object)));
  const kindsIn = definedKindsIn(rgds, before.repository);
  const nameOfKind = (kind: string): string => kind.slice(0, kind.indexOf('.'));
  const manifests = after.repository.manifestsNamingWords(new Set([...kindsIn.values()].flat().map(nameOfKind)));
  return rgds.flatMap((path) => {
    const defined = new Set(kindsIn.get(path));
    const instances = [...new Set([...defined].flatMap((kind) => manifests.get(nameOfKind(kind)) ?? []))]
      .flatMap((file) => after.repository.objectsOf(file))
      .filter(({ object }) => defined.has(groupKind(groupVersionKind(object))));
    const input = (side: LoadContext) => ({
      objects: definitionsFor(defined, path, side.repository).flatMap((file) => side.repository.objectsOf(file)),
    });
    const options = { ...after.settings, from: before.settings.kro, conservative };
    const { reports } = comparePackages(input(before), input(after), instances, options);
    const [rgd] = before.repository.objectsOf(path).filter(({ object }) => isRgd(object));
    const name = rgd === undefined ? path : nameOf(rgd.object);
    const application = applicationAt('ResourceGraphDefinition', name, path);
    // Changes of the RGDs that this one renders are found for their own files.
    const others = new Set(
      definitionsFor(defined, path, before.repository)
        .filter((file) => file !== path)
        .flatMap((file) => before.repository.objectsOf(file).map(({ object }) => titleOf(object))),
    );
    return reports
      .filter(({ object }) => object === undefined || !others.has(object))
      .flatMap(({ code, severity = 'error', message, path: field, source }): PlannedDanger[] => {
        const danger = schemaDanger(code, severity);
        if (danger === undefined) return [];
        return [
          {
            code: danger,
            application,
            message: composeText`${trusted.definition(field.join('.'))}: ${message}`,
            ...(source && { at: { source, path: field } }),
          },
        ];
      });
  });
}

/** An RGD may allow breaking changes: those are warnings. */
function schemaDanger(code: Report['code'], severity: Report['severity']): Danger['code'] | undefined {
  if (code === 'unchecked-change') return code;
  return code === 'breaking-change' && severity === 'error' ? code : undefined;
}

/** Marks the dangers that entries of a render-rgd.yaml accept, and reports the entries that no longer apply. */
export function acceptDangers(plan: Plan, accepted: readonly Accepted[]): { plan: Plan; reports: Report[] } {
  const used = new Set<Accepted>();
  const dangers = plan.dangers.map((danger): PlannedDanger => {
    const entry = accepted.find((one) => accepts(one, danger));
    if (entry === undefined) return danger;
    used.add(entry);
    return { ...danger, accepted: trusted.argument(entry.reason) };
  });
  const reports = accepted
    .filter((one) => !used.has(one))
    .map(({ application, object, danger }): Report => {
      const what = object === '' ? application : `${object} in ${application}`;
      const message = composeText`there is no ${trusted.argument(danger)} of ${trusted.argument(what)} to accept`;
      return { code: 'accepted-unused', severity: 'warning', message, path: [] };
    });
  return { plan: { ...plan, dangers }, reports };
}

function accepts({ application, object, danger }: Accepted, found: PlannedDanger): boolean {
  const side = found.change?.before ?? found.change?.after;
  const names = [found.application.name, titleOfApplication(found.application)];
  const isOfObject = side === undefined ? object === '' : object === titleOfReviewed(side);
  return found.code === danger && names.includes(application) && isOfObject;
}
