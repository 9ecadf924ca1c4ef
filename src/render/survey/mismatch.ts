import { type Collector, type Message, phrase, publicText, reporterFor } from '../../core/diagnostics/index.ts';
import {
  groupVersionKind,
  type InputObject,
  type KubeObject,
  nameOf,
  namespaceOf,
  titleOf,
} from '../../core/model/object.ts';
import type { ObjectName } from '../../kubernetes/front-end/index.ts';
import { getCommand, shellWord } from '../../kubernetes/kubectl/index.ts';

/** The number of named objects; the others are counted. */
const NAMED = 8;

/**
 * Reports live objects that nothing reads. One that is similar to a missing object is an error: its group or its
 * namespace differs from the package.
 */
export function reportUnread(unread: readonly InputObject[], missing: readonly ObjectName[], reports: Collector): void {
  const left: string[] = [];
  for (const input of unread) {
    const fault = missing.map((one) => mismatch(input.object, one)).find((found) => found !== undefined);
    if (fault === undefined) left.push(describe(input.object));
    else reporterFor(input, reports).report({ code: 'observed-mismatch', path: [], ...fault });
  }
  if (left.length === 0) return;
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  const message = publicText`nothing reads ${left.slice(0, NAMED).join(', ')}${more}: left out`;
  reports.add({ code: 'observed-unread', message, path: [], severity: 'info' });
}

function mismatch(live: KubeObject, target: ObjectName): { message: Message; hint?: Message } | undefined {
  const { group, kind } = groupVersionKind(live);
  const wanted = groupVersionKind(target);
  if (kind !== wanted.kind || nameOf(live) !== target.name) return undefined;
  if (group !== wanted.group) {
    if (namespaceOf(live) !== target.namespace) return undefined;
    const message = phrase`${titleOf(live)} is of ${live.apiVersion}, the package reads the one of ${target.apiVersion}`;
    const command = getCommand(target);
    return command === undefined ? { message } : { message, hint: phrase`ask for it by its group: ${command}` };
  }
  if (namespaceOf(live) === '' && target.namespace !== '') {
    const message = phrase`${titleOf(live)} has no namespace, the package reads the one in '${target.namespace}'`;
    return {
      message,
      hint: phrase`--cluster-scoped ${shellWord(`${kind}.${group}`)} says that the kind has no namespaces`,
    };
  }
  return undefined;
}

function describe(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${nameOf(object)}`;
}
