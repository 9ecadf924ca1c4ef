/** Changes of what identifies a kind: kro accepts none of them. */

import { groupKind } from '../../core/model/object.ts';
import { getAt, type Path } from '../../core/model/value.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { SCHEMA } from './update.ts';

/** A part of the identity of a kind, whose change breaks every instance; with the edit of each, if it is sufficient. */
interface Identity {
  what: string;
  path: Path;
  of: (graph: Graph) => string;
  /** Default: the part in quotes. */
  words?: (graph: Graph) => string;
  more?: (before: Graph, after: Graph) => string;
  fix?: (after: Graph) => string;
}

const pluralOf = ({ crd }: Graph): string => String(getAt(crd, ['spec', 'names', 'plural']) ?? '');
const crdName = (graph: Graph): string => `${pluralOf(graph)}.${graph.group}`;
const scopeOf = ({ namespaced }: Graph): string => (namespaced ? 'Namespaced' : 'Cluster');
const setApiVersion = ({ group, version }: Graph): string => `set apiVersion to ${group}/${version}`;

/** kro accepts none of these changes (0.9.4: pkg/graph/crd/compat, pkg/client/crd.go). */
const KIND: readonly Identity[] = [
  {
    what: 'kind',
    path: [...SCHEMA, 'kind'],
    of: ({ kind }) => kind,
    words: groupKind,
    fix: ({ kind }) => `set kind to ${kind}`,
  },
  { what: 'group', path: [...SCHEMA, 'group'], of: ({ group }) => group, fix: setApiVersion },
];
const IDENTITY: readonly Identity[] = [
  {
    what: 'name',
    path: ['metadata', 'name'],
    of: ({ name }) => name,
    // The CRD belongs to the RGD that created it (kro 0.9.4: pkg/client/crd.go).
    more: () => ', and the CRD belongs to the former',
  },
  { what: 'version', path: [...SCHEMA, 'apiVersion'], of: ({ version }) => version, fix: setApiVersion },
  {
    what: 'plural',
    path: [...SCHEMA, 'plural'],
    of: pluralOf,
    more: (before, after) => `: the CRD ${crdName(after)} would define the kind of ${crdName(before)} again`,
  },
  {
    what: 'scope',
    path: [...SCHEMA, 'scope'],
    of: scopeOf,
    words: scopeOf,
    fix: ({ namespaced }) => `${namespaced ? 'add' : 'remove'} metadata.namespace`,
  },
];

/** Returns the RGD with the same name, which now defines another kind. */
const successorOf = (before: Graph, graphs: Graphs): Graph | undefined =>
  [...graphs.values()].find(({ name }) => name === before.name) ??
  [...graphs.values()].find(({ kind }) => kind === before.kind);

/** A change of what identifies the kind of an RGD. */
export interface IdentityChange {
  rule: string;
  /** Its field in the RGD. */
  path: Path;
  what: string;
  /** The edit that makes an instance valid again, if it is sufficient. */
  fix: string | undefined;
}

/** Returns the RGD that replaces an older one, and what of its identity is another one. */
export function compareIdentity(
  before: Graph,
  graphs: Graphs,
): { renamed: Graph | undefined; after: Graph | undefined; changes: IdentityChange[] } {
  const after = graphs.get(groupKind(before));
  const renamed = after ?? successorOf(before, graphs);
  if (renamed === undefined) {
    const what = `no RGD defines ${groupKind(before)} any more`;
    return { renamed, after, changes: [{ rule: 'kind-removed', path: [...SCHEMA, 'kind'], what, fix: undefined }] };
  }
  const parts = after === undefined ? KIND : IDENTITY;
  const changes = parts.flatMap(({ what, path, of, words, more, fix }): IdentityChange[] => {
    if (of(before) === of(renamed)) return [];
    const [was, is] = [before, renamed].map((graph) => words?.(graph) ?? `'${of(graph)}'`);
    const text = `the ${what} changed from ${was} to ${is}${more?.(before, renamed) ?? ''}`;
    return [{ rule: `${what}-changed`, path, what: text, fix: fix?.(renamed) }];
  });
  return { renamed, after, changes };
}

/** The names of all changes of an identity. */
export const IDENTITY_CHANGES: readonly string[] = [
  ...[...KIND, ...IDENTITY].map(({ what }) => `${what}-changed`),
  'kind-removed',
];
