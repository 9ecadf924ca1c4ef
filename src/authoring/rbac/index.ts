/** The roles that RGDs need: for kro, or for the tool that applies the rendered objects. */
import { type Collector, isPending, phrase, type Report, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupKind, groupVersionKind, type InputObject, type KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { get, getAt, isMap, listOf, textsOf, type Value } from '../../core/model/value.ts';
import type { Graph, GraphNode, Graphs } from '../../kro/compile/index.ts';
import { pluralOf, resourcesOf } from '../../kubernetes/schema/index.ts';
import { type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { graphsOf } from '../graph/index.ts';

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
  const objects = applied.map((object) => ({
    ...groupVersionKind(object),
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

/** Reports what roles lack of the needed one, and what they grant besides. */
export function checkRoles(needed: KubeObject, roles: readonly InputObject[], reports: Collector): void {
  const wanted = listed(needed).flatMap(({ permissions }) => permissions);
  const granted = roles.flatMap((role) => listed(role.object).map((rule) => ({ ...rule, role })));
  const missing = wanted.filter(
    (one) => !granted.some(({ permissions }) => permissions.some((has) => includes(has, one))),
  );
  const [first] = roles;
  if (first !== undefined && missing.length > 0) {
    const message = phrase`lacks ${shown(textOf(missing))}`;
    const hint = phrase`render-rgd rbac prints a role that has them`;
    reporterFor(first, reports).report({ code: 'role-lacks', message, path: ['rules'], hint });
  }
  for (const { role, path, permissions } of granted) {
    const excess = permissions.filter((has) => !wanted.some((one) => includes(one, has)));
    if (excess.length === 0) continue;
    const message = phrase`grants more than is needed: ${shown(textOf(excess))}`;
    reporterFor(role, reports).report({ code: 'role-excess', message, path, severity: 'warning' });
  }
}

const listed = ({ rules }: KubeObject) =>
  listOf(rules).map((rule, index) => ({ path: ['rules', index], permissions: permissionsOf([rule]) }));

/** `get and list on pods, patch on deployments.apps`. */
function textOf(permissions: readonly Permission[]): string {
  const groups = rulesOf(permissions).flatMap((rule) => {
    const each = permissionsOf([rule]);
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

/** The permission for one verb on one resource. `apiGroups`, `resources` and `resourceNames` are as in a role. */
export interface Permission {
  group: string;
  /** `*` is every resource; a slash precedes a subresource. */
  resource: string;
  verb: string;
  /** Of one object; absent for all of them. */
  name?: string;
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
  return object.aggregationRule === undefined && isLiteral(rules)
    ? permissionsOf(rules)
    : on(`${kind.toLowerCase()}s`, 'escalate', getAt(object, ['metadata', 'name']));
}

const isLiteral = (value: Value): boolean => !toJsonText(value).includes('${');

export const permissionsOf = (rules: Value | undefined): Permission[] => listOf(rules).flatMap(permissionsOfRule);

function permissionsOfRule(rule: Value): Permission[] {
  const names = textsOf(get(rule, 'resourceNames'));
  const urls = textsOf(get(rule, 'nonResourceURLs')).map((url) => ({ group: '', resource: url }));
  const resources = textsOf(get(rule, 'apiGroups')).flatMap((group) =>
    textsOf(get(rule, 'resources')).map((resource) => ({ group, resource })),
  );
  return [...resources, ...urls].flatMap((on) =>
    textsOf(get(rule, 'verbs')).flatMap((verb): Permission[] =>
      names.length === 0 ? [{ ...on, verb }] : names.map((name) => ({ ...on, verb, name })),
    ),
  );
}

/** Reports whether a permission includes another one, as the authorizer decides (k8s.io/kubernetes/pkg/apis/rbac). */
export const includes = (has: Permission, needed: Permission): boolean =>
  matches(has.group, needed.group) &&
  matches(has.verb, needed.verb) &&
  (matches(has.resource, needed.resource) ||
    (has.resource.startsWith('*/') && needed.resource.endsWith(has.resource.slice(1)))) &&
  (has.name === undefined || has.name === needed.name);

const matches = (has: string, needed: string): boolean => has === '*' || has === needed;

/** Returns permissions as the fewest rules, sorted. */
function rulesOf(permissions: readonly Permission[]): Value[] {
  const unique = [...new Map(permissions.map((one) => [JSON.stringify(Object.entries(one)), one])).values()];
  const least = unique.filter((one) => !unique.some((other) => other !== one && includes(other, one)));
  const byResource = groupBy(least, ({ group, resource, name }) => JSON.stringify([group, resource, name ?? '']));
  const sorted = [...byResource.values()]
    .map((each) => ({ first: each[0] as Permission, verbs: each.map(({ verb }) => verb).sort() }))
    .sort((a, b) => (keyOf(a.first) < keyOf(b.first) ? -1 : 1));
  const alike = groupBy(sorted, ({ first, verbs }) => JSON.stringify([first.group, first.name ?? '', verbs]));
  return [...alike.values()].map(([one, ...others]) => {
    const { first, verbs } = one as (typeof sorted)[number];
    const resources = [first.resource, ...others.map((other) => other.first.resource)];
    if (first.resource.startsWith('/')) return { nonResourceURLs: resources, verbs };
    const names = first.name === undefined ? {} : { resourceNames: [first.name] };
    return { apiGroups: [first.group], resources, ...names, verbs };
  });
}

const keyOf = ({ group, resource, name = '' }: Permission): string => `${group}\n${resource}\n${name}`;
