import { type Collector, phrase, reporterFor } from '../../../core/diagnostics/index.ts';
import { isObserved } from '../../../core/model/annotations.ts';
import { withoutBookkeeping } from '../../../core/model/bookkeeping.ts';
import { OBSERVED } from '../../../core/model/keys.ts';
import {
  groupVersionKind,
  type InputObject,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
  titleOf,
} from '../../../core/model/object.ts';
import { equal, get, isMap, type ValueMap } from '../../../core/model/value.ts';
import { getCommand } from '../../../kubernetes/kubectl/index.ts';
import { annotated } from '../../../kubernetes/select/index.ts';
import { inNamespace } from '../../expand/index.ts';
import type { Survey } from '../reads/index.ts';
import type { Observation } from './live.ts';
import { reportUnread } from './mismatch.ts';
import { type Need, needsOf } from './needs.ts';
import { type NeededFields, trimmed } from './trim.ts';

export { liveObjects, type Observation, withLive } from './live.ts';

/**
 * Returns the live objects that a package reads, with only the fields that it reads: rendering with them is the same as
 * with the complete ones. Sorted by group, kind, namespace and name. Objects that nothing reads are omitted with an
 * info; a Secret whose values are read is an error unless `allowSecrets`.
 */
export function observedObjects(
  survey: Survey,
  { live, earlier }: Observation,
  allowSecrets: boolean,
  reports: Collector,
): KubeObject[] {
  const needs = needsOf(survey);
  const keyIn = ({ object }: InputObject): string => identityOf(inNamespace(object, survey.observedNamespace));
  const byKey = new Map([...earlier, ...live].map((input) => [keyIn(input), input]));
  const marked = new Set([...earlier, ...live].filter(isMarked).map(keyIn));
  const objects: KubeObject[] = [];
  const unread: InputObject[] = [];
  const needsByLive = groupedByLive(needs, survey);
  for (const [key, input] of byKey) {
    const wanted = needsByLive.get(key) ?? [];
    const [need] = wanted;
    const object = observedPart(input.object, wanted) ?? survey.beside?.live.get(input.object);
    if (object === undefined) unread.push(input);
    else if (allowSecrets || !hasSecretValues(object)) {
      objects.push(marked.has(key) ? annotated(object, { [OBSERVED]: 'true' }) : object);
    } else reportSecret(input, reports);
    if (object !== undefined && need !== undefined) reportVersion(input, need, reports);
  }
  reportUnread(
    unread,
    [...needs].filter(([key]) => survey.world.observed.find(key) === undefined).map(([, need]) => need),
    reports,
  );
  return objects.sort(byIdentity);
}

/** Groups the required fields by live object: it may match several objects of the package. */
function groupedByLive(needs: ReadonlyMap<string, Need>, { world }: Survey): Map<string, Need[]> {
  const grouped = new Map<string, Need[]>();
  for (const [key, need] of needs) {
    const live = world.observed.find(key);
    if (live === undefined) continue;
    const liveKey = identityOf(live);
    grouped.set(liveKey, [...(grouped.get(liveKey) ?? []), need]);
  }
  return grouped;
}

/** Returns the read part of an object; `undefined` if it is empty, or if the package contains it all. */
function observedPart(live: KubeObject, needs: readonly Need[]): KubeObject | undefined {
  const object = withoutManagedFields(withoutBookkeeping(live));
  const needed = needs.flatMap(({ target, under, instead }) => {
    const references = instead !== undefined && hasMore(object, target.own, instead) ? [instead] : [];
    return under === undefined ? references : [under, ...references];
  });
  if (needed.length === 0) return undefined;
  const part = trimmed(object, needed) as ValueMap;
  const metadata = isMap(part.metadata) ? part.metadata : {};
  const identity: ValueMap = { name: nameOf(object) };
  if (namespaceOf(object) !== '') identity.namespace = namespaceOf(object);
  const { apiVersion, kind } = object;
  return { ...part, apiVersion, kind, metadata: { ...identity, ...metadata } };
}

/** Reports whether an object is marked as observed, and stays so. */
const isMarked = ({ object }: InputObject): boolean => isObserved(object);

/** Reports whether a reference would read more of the live object than of the package's object. */
const hasMore = (live: KubeObject, own: Need['target']['own'], needed: NeededFields): boolean =>
  own === undefined || !equal(trimmed(live, [needed]), trimmed(own, [needed]));

function withoutManagedFields(object: KubeObject): KubeObject {
  const metadata = get(object, 'metadata');
  if (!isMap(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function hasSecretValues(object: KubeObject): boolean {
  const { group, kind } = groupVersionKind(object);
  return group === '' && kind === 'Secret' && ['data', 'stringData'].some((key) => Object.hasOwn(object, key));
}

function reportSecret(input: InputObject, reports: Collector): void {
  const message = phrase`an expression reads values of ${titleOf(input.object)}, which would be written in plain phrase`;
  const hint = phrase`--allow-secrets allows it; better let the workload refer to the Secret`;
  reporterFor(input, reports).report({ code: 'observed-secret', message, path: [], hint });
}

function reportVersion(input: InputObject, { target }: Need, reports: Collector): void {
  if (input.object.apiVersion === target.apiVersion) return;
  const message = phrase`the version is ${input.object.apiVersion}, the package has ${target.apiVersion}: fields may differ`;
  const command = getCommand(target);
  reporterFor(input, reports).report({
    code: 'observed-version',
    message,
    path: ['apiVersion'],
    severity: 'warning',
    ...(command === undefined ? {} : { hint: phrase`${command} gives the other one` }),
  });
}

function byIdentity(a: KubeObject, b: KubeObject): number {
  const [left, right] = [a, b].map((object) => {
    const { group, kind } = groupVersionKind(object);
    return [group, kind, namespaceOf(object), nameOf(object)];
  });
  const at = (left ?? []).findIndex((part, index) => part !== right?.[index]);
  return at < 0 ? 0 : (left?.[at] ?? '') < (right?.[at] ?? '') ? -1 : 1;
}
