/** Parses names of objects on the command line. */
import { addressText, composeText, hidesName, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { ExpandedSet } from '../../flux/index.ts';
import { type InstanceRun, isSecretlyNamed } from '../../kro/expand/index.ts';

/** `KIND/NAME` or `KIND/NAMESPACE/NAME`. Without a namespace, it matches any namespace. */
export interface Address {
  kind: string;
  namespace: string | undefined;
  name: string;
}

/** Parses an address; returns `undefined` for an invalid text. Kinds are case-sensitive, as in manifests. */
export function parseAddress(text: string): Address | undefined {
  const [kind = '', first = '', second, ...rest] = text.split('/');
  if (kind === '' || first === '' || second === '' || rest.length > 0) return undefined;
  return second === undefined ? { kind, namespace: undefined, name: first } : { kind, namespace: first, name: second };
}

const isAt = (object: KubeObject, { kind, namespace, name }: Address): boolean =>
  object.kind === kind && nameOf(object) === name && (namespace === undefined || namespaceOf(object) === namespace);

export const addressOf = (object: KubeObject): Text => addressText(object, false);

export interface Addressable {
  object: KubeObject;
  /** Its name or namespace may be a value of a Secret, so that no address names it. */
  hasSecretName?: boolean;
}

export const addressableRun = (run: InstanceRun): Addressable & { run: InstanceRun } => ({
  object: run.instance,
  hasSecretName: isSecretlyNamed(run),
  run,
});

export const addressableSet = (set: ExpandedSet): Addressable & { set: ExpandedSet } => ({
  object: set.input.object,
  hasSecretName: hidesName(set.input.secret),
  set,
});

/** Returns the only object at an address, or an error if there is none or more than one. */
export function onlyAt<T extends Addressable>(
  all: readonly T[],
  text: string,
  what: 'instance' | 'rendered object',
): { found: T } | { fault: Text } {
  const address = parseAddress(text);
  if (address === undefined)
    return { fault: composeText`'${trusted.argument(text)}' is not of the form KIND/NAME or KIND/NAMESPACE/NAME` };
  const named = all.filter(({ hasSecretName }) => !hasSecretName);
  const found = named.filter(({ object }) => isAt(object, address));
  const [first] = found;
  if (first === undefined) {
    const there = listed(named.map(({ object }) => addressOf(object)));
    return { fault: composeText`there is no ${what} ${trusted.argument(text)}${there}` };
  }
  if (found.length === 1) return { found: first };
  const versions = found.slice(0, MOST).map(({ object }) => addressOf(object));
  return { fault: composeText`there are ${found.length} of ${trusted.argument(text)}: ${joinTexts(versions, ', ')}` };
}

const MOST = 10;

function listed(there: readonly Text[]): Text {
  if (there.length === 0) return composeText`; there is none at all`;
  const more = there.length > MOST ? composeText` and ${there.length - MOST} more` : '';
  return composeText`; there is ${joinTexts(there.slice(0, MOST), ', ')}${more}`;
}
