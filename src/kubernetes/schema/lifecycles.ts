import table from '../../../data/kubernetes-lifecycles.json';
import { lazily } from '../../core/model/lazily.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { kindName } from './schema.ts';

/** The releases of Kubernetes, such as `1.25`, in which a kind was introduced, deprecated and removed. */
export interface Lifecycle {
  introduced?: string;
  deprecated?: string;
  /** The first release that does not serve it, or will not. */
  removed?: string;
  replacement?: GroupVersionKind;
}

/** Returns the lifecycle of a kind that is or will be deprecated or removed. */
export const lifecycleOf = (gvk: GroupVersionKind): Lifecycle | undefined => lifecycles().get(kindName(gvk));

/** A line is `GROUP VERSION KIND INTRODUCED DEPRECATED REMOVED [GROUP VERSION KIND]`, with `-` for what is missing. */
const lifecycles = lazily(
  () =>
    new Map(table.kinds.split('\n').map((line) => readLine(line.split(' ').map((word) => (word === '-' ? '' : word))))),
);

function readLine(words: readonly string[]): [string, Lifecycle] {
  const [group = '', version = '', kind = '', introduced, deprecated, removed, ...use] = words;
  const lifecycle: Lifecycle = {};
  if (introduced) lifecycle.introduced = introduced;
  if (deprecated) lifecycle.deprecated = deprecated;
  if (removed) lifecycle.removed = removed;
  const [otherGroup = '', otherVersion = '', otherKind] = use;
  if (otherKind !== undefined) {
    lifecycle.replacement = { group: otherGroup, version: otherVersion, kind: otherKind };
  }
  return [kindName({ group, version, kind }), lifecycle];
}

const minorOf = (release: string): number => Number(release.split('.')[1]);

/** Reports whether a release of Kubernetes is earlier than another one. */
export const isEarlier = (release: string, than: string): boolean => minorOf(release) < minorOf(than);
