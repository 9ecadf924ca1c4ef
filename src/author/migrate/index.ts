/** The plan by which instances move from a kro controller to rendered objects, or back, without losing an object. */
import { Collector, hidesName, phrase, type Report, reporterFor, toReport } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { KRO_LABEL } from '../../core/model/keys.ts';
import {
  groupKind,
  groupVersionKind,
  type InputObject,
  type KubeObject,
  nameOf,
  namespaceOf,
  withNamespace,
} from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { get, getAt, listOf } from '../../core/model/value.ts';
import { kro } from '../../kro/front-end.ts';
import { renderWithSessions, surveyPackage } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { observedObjects, withLive } from '../../render/survey/index.ts';
import { type Migration, type Step, stepsOf } from './steps.ts';

export { planText, type Step, TOOLS } from './steps.ts';

interface Asked extends Pick<Migration, 'tool' | 'files'> {
  /** The command that renders the package, with kept values of the cluster if it needs them. */
  render: (needsObserved: boolean) => string;
  observe: string;
  /** From rendered objects to kro. */
  back: boolean;
}

/** Returns the steps for a package and its live objects; none after errors. Pure. */
export function planMigration(
  input: RenderInput,
  live: readonly InputObject[],
  options: RenderOptions,
  asked: Asked,
): { steps: readonly Step[]; reports: readonly Report[] } {
  const reports = new Collector();
  const observation = { live, earlier: [] };
  const package_ = withoutEarlier(withLive(input, observation, reports));
  const { entries, sessions, of, reports: found } = renderWithSessions(package_, { ...options, onPending: 'fail' });
  reports.addAll(found);
  const { survey } = surveyPackage(package_, options);
  const read = survey === undefined ? [] : observedObjects(survey, observation, false, reports);
  if (reports.hasErrors) return { steps: [], reports: reports.all };

  const identityIn = identities(options.namespace);
  const byIdentity = new Map(live.map((one) => [identityIn(one.object), one]));
  const rendered = entries.flatMap((entry) => entry.rendered.map(({ object }) => object));
  const isRendered = new Set(rendered.map(identityIn));
  const own = entries.filter(({ role }) => role === 'instance').map((entry) => entry.input);
  const { instances, children } = familyOf(own, live, new Set(of(kro)?.graphs.keys()), identityIn);
  for (const one of asked.back ? [] : own) {
    if (byIdentity.has(identityIn(one.object))) continue;
    const message = phrase`is not among the live objects, so the plan does not contain it`;
    const severity = instances.length === 0 ? 'error' : 'warning';
    reporterFor(one, reports).report({ code: 'live-missing', message, path: [], severity });
  }
  if (own.length === 0)
    reports.add(toReport({ code: 'nothing-to-read', message: phrase`there is no instance of an RGD`, path: [] }));
  for (const one of asked.back ? [] : children) {
    if (isRendered.has(identityIn(one.object))) continue;
    const message = phrase`is lost: it is not rendered, so it stays in the cluster and nothing updates or deletes it`;
    const hint = phrase`delete it, or change the instance so that it is rendered`;
    reporterFor(one, reports).report({ code: 'live-lost', message, path: [], severity: 'warning', hint });
  }
  const taken = rendered.filter((object) => byIdentity.has(identityIn(object)));
  const inNamespace = (object: KubeObject): KubeObject =>
    namespaceOf(object) !== '' || options.namespace === '' ? object : withNamespace(object, options.namespace);
  const hidden = new Set(taken.filter((object) => sessions.some((one) => hidesName(one.secretOf?.(object)))));
  const migration: Migration = {
    tool: asked.tool,
    files: asked.files,
    render: asked.render(read.length > 0),
    observe: read.length > 0 ? asked.observe : '',
    instances,
    own: own.map(({ object }) => byIdentity.get(identityIn(object))?.object ?? inNamespace(object)),
    namespace: options.namespace,
    rgds: entries.filter(({ role }) => role === 'rgd').map((entry) => entry.input.object),
    taken: taken.filter((object) => !hidden.has(object)),
    hidden: hidden.size,
    owned: ownedBy(instances, live),
  };
  const steps = reports.hasErrors ? [] : stepsOf(migration, asked.back);
  return { steps, reports: reports.all.filter(({ code }) => code !== 'observed-unread') };
}

type IdentityIn = (object: KubeObject) => string;

/** An object without a namespace is in the given one or in `default`, or its kind has none. */
const identities =
  (namespace: string): IdentityIn =>
  (object) =>
    [groupKind(groupVersionKind(object)), namespaceOf(object) || namespace || 'default', nameOf(object)].join('/');

/** Returns the live instances, nested ones after their outer ones, and their other objects, by kro's labels. */
function familyOf(
  own: readonly InputObject[],
  live: readonly InputObject[],
  kinds: ReadonlySet<string>,
  identityIn: IdentityIn,
): { instances: KubeObject[]; children: InputObject[] } {
  const known = new Set(own.map(({ object }) => identityIn(object)));
  const instances = live.filter(({ object }) => known.has(identityIn(object))).map(({ object }) => object);
  const children: InputObject[] = [];
  const byParent = groupBy(live, ({ object }) => identityIn(parentOf(object)));
  // Outer instances may be gone already.
  for (const outer of known) {
    for (const one of byParent.get(outer) ?? []) {
      const identity = identityIn(one.object);
      if (known.has(identity)) continue;
      if (kinds.has(groupKind(groupVersionKind(one.object)))) {
        known.add(identity);
        instances.push(one.object);
      } else children.push(one);
    }
  }
  return { instances, children };
}

/** Returns an object with the identity of the instance that an object belongs to. */
function parentOf(object: KubeObject): KubeObject {
  const label = (name: string): string => String(getAt(object, ['metadata', 'labels', name]) ?? '');
  const metadata = { name: label(KRO_LABEL.instanceName), namespace: label(KRO_LABEL.instanceNamespace) };
  return { apiVersion: `${label(KRO_LABEL.instanceGroup)}/v1`, kind: label(KRO_LABEL.instanceKind), metadata };
}

/** Returns the objects that the garbage collector deletes with an instance. */
function ownedBy(instances: readonly KubeObject[], live: readonly InputObject[]): Migration['owned'] {
  const uids = new Set(instances.map((one) => getAt(one, ['metadata', 'uid'])));
  return live.flatMap(({ object }) => {
    const references = getAt(object, ['metadata', 'ownerReferences']);
    const indices = listOf(references).flatMap((one, index) => {
      const uid = get(one, 'uid');
      return typeof uid === 'string' && uids.has(uid) ? [{ index, uid }] : [];
    });
    return indices.length === 0 ? [] : [{ object, references: indices }];
  });
}
