import type { Severity } from '../../core/diagnostics/index.ts';
import { groupKind, type InputObject } from '../../core/model/object.ts';
import { getAt, type Path } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';

export interface Change {
  /** The name of the change for exceptions. */
  rule: string;
  /** The field in an instance. */
  at: Path;
  path: Path;
  what: string;
  /** The instances that it breaks, each with the edit that fixes it if one exists. */
  instances: readonly { input: InputObject; fix: string | undefined }[];
  severity: Severity;
}

/** A change of the name or the scope of a kind, which breaks every instance; with the edit of each, if it is sufficient. */
type IdentityChange = Omit<Change, 'instances'> & { fix: string | undefined };

const SCHEMA: Path = ['spec', 'schema'];

/**
 * Compares an RGD with its new version; kro accepts none of these changes (0.9.4: pkg/graph/crd/compat,
 * pkg/client/crd.go).
 */
export function identityChanges(before: Graph, after: Graph | undefined): IdentityChange[] {
  const changes: IdentityChange[] = [];
  const add = (rule: string, path: Path, what: string, fix?: string): void => {
    changes.push({ rule, at: [], path, what, severity: 'error', fix });
  };
  if (after === undefined) {
    add('kind-removed', [...SCHEMA, 'kind'], `no RGD defines ${groupKind(before)} any more`);
    return changes;
  }
  if (before.kind !== after.kind) {
    const what = `the kind changed from ${groupKind(before)} to ${groupKind(after)}`;
    add('kind-changed', [...SCHEMA, 'kind'], what, `set kind to ${after.kind}`);
  }
  if (before.group !== after.group) {
    const what = `the group changed from '${before.group}' to '${after.group}'`;
    add('group-changed', [...SCHEMA, 'group'], what, `set apiVersion to ${after.group}/${after.version}`);
  }
  if (before.kind !== after.kind || before.group !== after.group) return changes;
  if (before.name !== after.name) {
    // The CRD belongs to the RGD that created it (kro 0.9.4: pkg/client/crd.go).
    const what = `the name changed from '${before.name}' to '${after.name}', and the CRD belongs to the former`;
    add('name-changed', ['metadata', 'name'], what);
  }
  if (before.version !== after.version) {
    const what = `the version changed from '${before.version}' to '${after.version}'`;
    add('version-changed', [...SCHEMA, 'apiVersion'], what, `set apiVersion to ${after.group}/${after.version}`);
  }
  const [old, current] = [pluralOf(before), pluralOf(after)];
  if (old !== current) {
    const crds = `the CRD ${current}.${after.group} would define the kind of ${old}.${before.group} again`;
    add('plural-changed', [...SCHEMA, 'plural'], `the plural changed from '${old}' to '${current}': ${crds}`);
  }
  if (before.namespaced !== after.namespaced) {
    const scope = (graph: Graph): string => (graph.namespaced ? 'Namespaced' : 'Cluster');
    const what = `the scope changed from ${scope(before)} to ${scope(after)}`;
    add('scope-changed', [...SCHEMA, 'scope'], what, `${after.namespaced ? 'add' : 'remove'} metadata.namespace`);
  }
  return changes;
}

const pluralOf = ({ crd }: Graph): string => String(getAt(crd, ['spec', 'names', 'plural']) ?? '');
