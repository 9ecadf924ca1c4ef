import { type Collector, phrase, reporterFor } from '../../core/diagnostics/index.ts';
import { isObserved } from '../../core/model/annotations.ts';
import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { OBSERVED } from '../../core/model/keys.ts';
import {
  groupVersionKind,
  type InputObject,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
  titleOf,
} from '../../core/model/object.ts';
import { type NeededFields, trimmed } from '../../core/model/trim.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import type { LiveRead, ObjectName, Surveyed } from '../../kubernetes/front-end/index.ts';
import { getCommand } from '../../kubernetes/kubectl/index.ts';
import { annotated } from '../../kubernetes/select/index.ts';
import type { Observation } from './live.ts';
import { reportUnread } from './mismatch.ts';

/**
 * Returns the live objects that a package reads, with only the fields that it reads: rendering with them is the same as
 * with the complete ones. Sorted by group, kind, namespace and name. Objects that nothing reads are omitted with an
 * info; a Secret whose values are read is an error unless `allowSecrets`.
 */
export function observedObjects(
  survey: readonly Surveyed[],
  { live, earlier }: Observation,
  allowSecrets: boolean,
  reports: Collector,
): KubeObject[] {
  const reads = survey.map((one) => one.reads());
  const identity = reads.find((one) => one.identityOf !== undefined)?.identityOf ?? identityOf;
  const keyIn = ({ object }: InputObject): string => identity(object);
  const byKey = new Map([...earlier, ...live].map((input) => [keyIn(input), input]));
  const marked = new Set([...earlier, ...live].filter(isMarked).map(keyIn));
  const objects: KubeObject[] = [];
  const unread: InputObject[] = [];
  for (const [key, input] of byKey) {
    const found = reads.flatMap((one) => one.of(input.object) ?? []);
    const object = observedPart(input.object, found);
    if (object === undefined) {
      unread.push(input);
      continue;
    }
    if (allowSecrets || !hasSecretValues(object)) {
      objects.push(marked.has(key) ? annotated(object, { [OBSERVED]: 'true' }) : object);
    } else reportSecret(input, reports);
    for (const { as } of found) if (as !== undefined) reportVersion(input, as, reports);
  }
  const missing = reads.flatMap((one) => one.missing);
  reportUnread(unread, missing, reports);
  return objects.sort(byIdentity);
}

/** Returns the read part of an object; `undefined` if it is empty, or if the package contains it all. */
function observedPart(live: KubeObject, reads: readonly LiveRead[]): KubeObject | undefined {
  const needed: NeededFields[] = reads.flatMap((one) => one.needed);
  if (needed.length === 0) return undefined;
  const object = withoutManagedFields(withoutBookkeeping(live));
  const part = trimmed(object, needed) as ValueMap;
  const metadata = isMap(part.metadata) ? part.metadata : {};
  const identity: ValueMap = { name: nameOf(object) };
  if (namespaceOf(object) !== '') identity.namespace = namespaceOf(object);
  const { apiVersion, kind } = object;
  return { ...part, apiVersion, kind, metadata: { ...identity, ...metadata } };
}

/** Reports whether an object is marked as observed, and stays so. */
const isMarked = ({ object }: InputObject): boolean => isObserved(object);

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

function reportVersion(input: InputObject, target: ObjectName, reports: Collector): void {
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
