/** Parses names of objects on the command line. */
import { type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';

/** `KIND/NAME` or `KIND/NAMESPACE/NAME`. Without a namespace, it matches any namespace. */
export interface Address {
  kind: string;
  namespace: string | undefined;
  name: string;
}

/** Returns `undefined` for an invalid text. Kinds are case-sensitive, as in manifests. */
export function parseAddress(text: string): Address | undefined {
  const [kind = '', first = '', second, ...rest] = text.split('/');
  if (kind === '' || first === '' || second === '' || rest.length > 0) return undefined;
  return second === undefined ? { kind, namespace: undefined, name: first } : { kind, namespace: first, name: second };
}

export const isAt = (object: KubeObject, { kind, namespace, name }: Address): boolean =>
  object.kind === kind && nameOf(object) === name && (namespace === undefined || namespaceOf(object) === namespace);

/** Returns the full address of an object. */
export function addressOf(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return [object.kind, ...(namespace === '' ? [] : [namespace]), nameOf(object)].join('/');
}

/** Returns the only object at an address, or an error if there is none or more than one. */
export function onlyAt<T>(
  all: readonly T[],
  objectOf: (one: T) => KubeObject,
  text: string,
  what: string,
): { found: T } | { fault: string } {
  const address = parseAddress(text);
  if (address === undefined) return { fault: `'${text}' is not of the form KIND/NAME or KIND/NAMESPACE/NAME` };
  const found = all.filter((one) => isAt(objectOf(one), address));
  const [first] = found;
  if (first === undefined) {
    const there = all.map((one) => addressOf(objectOf(one)));
    return { fault: `there is no ${what} ${text}${listed(there)}` };
  }
  if (found.length === 1) return { found: first };
  const versions = found.map((one) => addressOf(objectOf(one)));
  return { fault: `there are ${found.length} of ${text}: ${versions.slice(0, MOST).join(', ')}` };
}

const MOST = 10;

function listed(there: readonly string[]): string {
  if (there.length === 0) return '; there is none at all';
  const more = there.length > MOST ? ` and ${there.length - MOST} more` : '';
  return `; there is ${there.slice(0, MOST).join(', ')}${more}`;
}
