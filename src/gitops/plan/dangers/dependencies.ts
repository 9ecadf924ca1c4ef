import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import { groupKindOf, namespaceOf } from '../../../core/model/object.ts';
import { get, listAt, textAt } from '../../../core/model/value.ts';
import { type Application, applicationKey, type PlannedDanger } from '../application.ts';
import type { Side } from '../side.ts';

interface Dependent {
  application: Application;
  /** The keys of what it waits for. */
  awaited: readonly string[];
}

const keyOf = (application: Application): string => keyIn(application.deployment.cluster, applicationKey(application));
const keyIn = (cluster: string, key: string): string => JSON.stringify([cluster, key]);

/** Returns the objects of Flux with a `dependsOn`. */
function dependentsIn({ declarations }: Side): Dependent[] {
  return declarations.flatMap(({ object, applications: [application] }): Dependent[] => {
    const kind = groupKindOf(object);
    const isDependent = kind.endsWith('.toolkit.fluxcd.io') && application !== undefined;
    const listed = isDependent ? listAt(get(object, 'spec'), 'dependsOn') : [];
    if (application === undefined || listed.length === 0) return [];
    const awaited = listed.map((one) => {
      const namespace = textAt(one, 'namespace') || namespaceOf(object);
      const key = applicationKey({ kind: object.kind, namespace, name: textAt(one, 'name') });
      return keyIn(application.deployment.cluster, key);
    });
    return [{ application, awaited }];
  });
}

/** Returns what never becomes ready, with the reason, by its key. */
function neverReady(side: Side): Map<string, { application: Application; reason: 'missing' | 'cycle'; name: string }> {
  const found = new Map<string, { application: Application; reason: 'missing' | 'cycle'; name: string }>();
  const dependents = new Map(dependentsIn(side).map((one) => [keyOf(one.application), one]));
  const known = new Set(side.applications.map(keyOf));
  for (const [key, { application, awaited }] of dependents) {
    const missing = awaited.find((one) => !known.has(one));
    // What is not built may declare anything.
    if (missing !== undefined && side.unread.size === 0) {
      found.set(key, { application, reason: 'missing', name: nameIn(missing) });
      continue;
    }
    const seen = new Set(awaited);
    // A set keeps the order of what is added while it is read.
    for (const one of seen) for (const next of dependents.get(one)?.awaited ?? []) seen.add(next);
    if (seen.has(key)) found.set(key, { application, reason: 'cycle', name: application.name });
  }
  return found;
}

function nameIn(key: string): string {
  const [, application] = JSON.parse(key) as [string, string];
  const [kind, namespace, name] = JSON.parse(application) as [string, string, string];
  return `${kind} ${namespace}/${name}`;
}

/** Reports what a change makes wait for ever: for an object that nothing declares, or for itself (checkDependencies). */
export function dependencyDangers(before: Side, after: Side): PlannedDanger[] {
  const old = neverReady(before);
  return [...neverReady(after)].flatMap(([key, { application, reason, name }]): PlannedDanger[] => {
    if (old.get(key)?.reason === reason) return [];
    const message =
      reason === 'missing'
        ? composeText`it depends on ${trusted.definition(name)}, which nothing here declares, so that it never becomes ready`
        : composeText`it depends on itself, through others, so that it never becomes ready`;
    return [{ code: 'danger-never-ready', application, message }];
  });
}
