/** The roles that RGDs need: for kro, or for the tool that applies the rendered objects. */
import {
  type Collector,
  HIDDEN,
  isPending,
  phrase,
  type Report,
  reporterFor,
  shown,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { MAX_PERMISSIONS } from '../../core/model/limits.ts';
import { groupKind, groupVersionKind, type InputObject, type KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { getAt, isMap, listOf, type Path, type Value } from '../../core/model/value.ts';
import { graphsOf } from '../../describe/graph/index.ts';
import type { Graph, GraphNode, Graphs } from '../../kro/compile/index.ts';
import { pluralOf, resourcesOf } from '../../kubernetes/schema/index.ts';
import { type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { allPermissionsOf, keyOf, type Permission, PermissionSet, permissionsOf } from './permissions.ts';

export { type Permission, PermissionSet, permissionsOf } from './permissions.ts';

/** Server-side apply, which creates too, deletion of what is no longer rendered, and watches. */
const APPLY = 'create delete get list patch watch';
/** The verbs of kro 0.9 on the objects of a node, and on instances, whose finalizers and labels it applies. */
const VERBS: Record<GraphNode['kind'], string> = {
  resource: APPLY,
  collection: APPLY,
  external: 'get list watch',
  externalCollection: 'list watch',
  value: '',
  valueCollection: '',
  frame: '',
};
const INSTANCE = 'get list patch watch';

/** The label by which kro's own role includes others (kro: helm/templates/cluster-role.yaml). */
const AGGREGATED = { 'rbac.kro.run/aggregate-to-controller': 'true' };

/** A kind with the verbs that somebody needs on its objects, and an object for the permissions that it grants. */
interface Use {
  group: string;
  kind: string;
  verbs: string;
  subresource?: string;
  object?: Value;
}

/** Returns the least role for a package: for kro, or for the tool that applies the rendered objects. Pure. */
export function roleFor(
  input: RenderInput,
  options: RenderOptions,
  asked: { for: 'kro' | 'gitops'; name: string },
): { role: KubeObject; reports: readonly Report[] } {
  const { own, all, reports } = graphsOf(input, options);
  const graphs = own.length > 0 ? own : [...all.values()];
  const isForKro = asked.for === 'kro';
  const rendering = isForKro ? undefined : renderWithSessions(input, { ...options, onPending: 'skip' });
  const uses = rendering === undefined ? usesOfKro(graphs) : usesOfTool(rendering, graphs, all);
  const resourceOf = resources(input, all);
  const needed = uses.flatMap(({ group, kind, verbs, subresource = '', object = null }) => [
    ...onEach(group, `${resourceOf(group, kind)}${subresource}`, verbs),
    ...grantsOf(object),
  ]);
  const name = asked.name || (isForKro ? 'kro:controller:rgds' : 'gitops:rendered');
  const metadata = isForKro ? { name, labels: AGGREGATED } : { name };
  const head = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata };
  return {
    role: { ...head, rules: rulesOf(needed) },
    reports: rendering?.reports.filter((one) => !isPending(one)) ?? reports,
  };
}

const usesOfKro = (graphs: readonly Graph[]): Use[] =>
  graphs.flatMap((graph) => [
    { group: graph.group, kind: graph.kind, verbs: INSTANCE },
    { group: graph.group, kind: graph.kind, verbs: 'update', subresource: '/status' },
    ...graph.nodes.map((node) => ({ ...node.gvk, verbs: VERBS[node.kind], object: templateOf(graph, node) })),
  ]);

/** Templates have more kinds than one rendering; what an object grants is known better from what is rendered. */
function usesOfTool({ entries, sessions }: Rendering, graphs: readonly Graph[], all: Graphs): Use[] {
  const instances = entries
    .filter(({ role }) => role === 'instance')
    .map(({ input }) => groupVersionKind(input.object));
  const used = new Set(instances.flatMap((one) => all.get(groupKind(one)) ?? []));
  for (const graph of used)
    for (const nested of graph.nodes.flatMap(({ gvk }) => all.get(groupKind(gvk)) ?? [])) used.add(nested);
  const applied = entries.flatMap(({ rendered, passedThrough, input: { object } }) =>
    passedThrough ? [object] : rendered.map((one) => one.object),
  );
  const isSecret = (object: KubeObject): boolean => sessions.some((one) => one.secretOf?.(object) !== undefined);
  const templates = [...(used.size > 0 ? used : graphs)].flatMap((graph) =>
    graph.nodes
      .filter(({ kind, gvk }) => VERBS[kind] === APPLY && !all.has(groupKind(gvk)))
      .map((node) => ({ ...node.gvk, verbs: APPLY, ...(used.size === 0 && { object: templateOf(graph, node) }) })),
  );
  const hiders = sessions.map((one) => one.hidesKind?.() ?? (() => false));
  const isHidden = (object: KubeObject): boolean => hiders.some((hidesKind) => hidesKind(object));
  const objects = applied.map((object) => ({
    ...(isHidden(object) ? { group: HIDDEN, kind: HIDDEN } : groupVersionKind(object)),
    verbs: APPLY,
    object: isSecret(object) ? { apiVersion: object.apiVersion, kind: object.kind, aggregationRule: null } : object,
  }));
  return [...templates, ...objects];
}

const templateOf = ({ input }: Graph, { path }: GraphNode): Value => getAt(input.object, [...path, 'template']) ?? null;

function resources({ objects, definitions = [] }: RenderInput, all: Graphs): (group: string, kind: string) => string {
  const crds = [
    ...objectsIn([...objects, ...definitions]).map(({ object }) => object),
    ...[...all.values()].map(({ crd }) => crd),
  ];
  const known = resourcesOf(crds.filter(({ kind }) => kind === 'CustomResourceDefinition'));
  return (group, kind) => pluralOf({ group, kind }, known);
}

const MOST = 8;

/** A rule of a role, with its permissions. */
interface Granted {
  role: InputObject;
  path: Path;
  permissions: readonly Permission[];
}

/** Reports what roles lack of the needed one, and what they grant besides. */
export function checkRoles(needed: KubeObject, roles: readonly InputObject[], reports: Collector): void {
  const wanted = allPermissionsOf(needed.rules);
  const grants = roles.map((role) => grantedBy(role, reports));
  const granted = grants.flatMap((each) => each ?? []);
  const allowed = new PermissionSet(granted.flatMap(({ permissions }) => permissions));
  const missing = wanted.filter((one) => !allowed.includes(one));
  const [first] = roles;
  // A role that is not compared may have what the others lack.
  const isComplete = grants.every((each) => each !== undefined);
  if (first !== undefined && missing.length > 0 && isComplete) {
    const message = phrase`lacks ${{ permissions: shown(textOf(missing)) }}`;
    const hint = phrase`render-rgd rbac prints a role that has them`;
    reporterFor(first, reports).report({ code: 'role-lacks', message, path: ['rules'], hint });
  }
  const all = new PermissionSet(wanted);
  for (const { role, path, permissions } of granted) {
    const excess = permissions.filter((has) => !all.includes(has));
    if (excess.length === 0) continue;
    const message = phrase`grants more than is needed: ${{ permissions: shown(textOf(excess)) }}`;
    reporterFor(role, reports).report({ code: 'role-excess', message, path, severity: 'warning' });
  }
}

/** Returns the rules of a role; undefined, with a report, if it has so many permissions that they are not compared. */
function grantedBy(role: InputObject, reports: Collector): Granted[] | undefined {
  if (permissionsOf(role.object.rules) === undefined) {
    const message = phrase`has more than ${{ limit: shown(String(MAX_PERMISSIONS)) }} permissions, which are not compared`;
    const hint = phrase`split the role, or use '*' in its rules`;
    reporterFor(role, reports).report({ code: 'role-too-large', message, path: ['rules'], hint });
    return undefined;
  }
  return listOf(role.object.rules).map((rule, index) => ({
    role,
    path: ['rules', index],
    permissions: allPermissionsOf([rule]),
  }));
}

/** `get and list on pods, patch on deployments.apps`. */
function textOf(permissions: readonly Permission[]): string {
  const groups = rulesOf(permissions).flatMap((rule) => {
    const each = allPermissionsOf([rule]);
    const [first] = each;
    const verbs = [...new Set(each.map(({ verb }) => verb))].join(', ');
    const resources = new Set(
      each.map(({ resource, group }) => resource.replace(/^[^/]*/, (plural) => plural + (group && `.${group}`))),
    );
    return [...resources].map((one) => `${verbs} on ${one}${first?.name === undefined ? '' : ` '${first.name}'`}`);
  });
  const more = groups.length > MOST ? `; and ${groups.length - MOST} more` : '';
  return `${groups.slice(0, MOST).join('; ')}${more}`;
}

const onEach = (group: string, resource: string, verbs: string): Permission[] =>
  verbs.split(' ').map((verb) => ({ group, resource, verb }));

const RBAC = 'rbac.authorization.k8s.io';

/**
 * Returns what whoever applies an object needs besides the verbs on its kind: an API server lets nobody grant what they
 * may not do themselves (k8s.io/kubernetes/pkg/registry/rbac). A name or rule with an expression is unknown.
 */
function grantsOf(object: Value): Permission[] {
  if (!isMap(object)) return [];
  const { group, kind } = groupVersionKind(object);
  if (group !== RBAC) return [];
  const on = (resource: string, verb: string, name: Value | undefined): Permission[] => [
    { group, resource, verb, ...(typeof name === 'string' && isLiteral(name) && { name }) },
  ];
  if (kind.endsWith('Binding')) {
    const role = getAt(object, ['roleRef', 'kind']) === 'Role' ? 'roles' : 'clusterroles';
    return on(role, 'bind', getAt(object, ['roleRef', 'name']));
  }
  const rules = object.rules ?? [];
  const own = object.aggregationRule === undefined && isLiteral(rules) ? permissionsOf(rules) : undefined;
  return own ?? on(`${kind.toLowerCase()}s`, 'escalate', getAt(object, ['metadata', 'name']));
}

const isLiteral = (value: Value): boolean => !toJsonText(value).includes('${');

/** Returns permissions as the fewest rules, sorted. */
function rulesOf(permissions: readonly Permission[]): Value[] {
  const unique = [...new Map(permissions.map((one) => [keyOf(one), one])).values()];
  const all = new PermissionSet(unique);
  const least = unique.filter((one) => !all.includesMore(one));
  const byResource = groupBy(least, ({ group, resource, name }) => JSON.stringify([group, resource, name ?? '']));
  const sorted = [...byResource.values()]
    .map((each) => ({ first: each[0] as Permission, verbs: each.map(({ verb }) => verb).sort() }))
    .sort((a, b) => (orderOf(a.first) < orderOf(b.first) ? -1 : 1));
  const alike = groupBy(sorted, ({ first, verbs }) => JSON.stringify([first.group, first.name ?? '', verbs]));
  return [...alike.values()].map(([one, ...others]) => {
    const { first, verbs } = one as (typeof sorted)[number];
    const resources = [first.resource, ...others.map((other) => other.first.resource)];
    if (first.resource.startsWith('/')) return { nonResourceURLs: resources, verbs };
    const names = first.name === undefined ? {} : { resourceNames: [first.name] };
    return { apiGroups: [first.group], resources, ...names, verbs };
  });
}

const orderOf = ({ group, resource, name = '' }: Permission): string => `${group}\n${resource}\n${name}`;
