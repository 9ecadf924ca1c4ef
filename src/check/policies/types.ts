import { type Collector, phrase, quotedHint, reporterFor } from '../../core/diagnostics/index.ts';
import { type GroupVersionKind, groupVersionKind } from '../../core/model/object.ts';
import { getAt, isMap, listAt, listOf, type Path, textAt, type Value } from '../../core/model/value.ts';
import { checkForApiServer, declaredType } from '../../kro/compile/index.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { type CelType, DYN, type InspectedExpression, inspect, parseRecovering } from '../../languages/cel/index.ts';
import { policyEnvironment, variablesOf } from './environment.ts';
import { kindFinder } from './match.ts';
import type { Expression, Policy } from './read.ts';

/** The maximum number of kinds for which an API server checks one rule. */
const MOST_KINDS = 10;
/** The maximum number of combinations of groups, versions and resources that are looked for in one rule. */
const MOST_COMBINATIONS = 1000;

/**
 * Reports where the expressions of a policy do not fit the kinds that it selects, as an API server does in
 * `status.typeChecking`: of rules without wildcards, and of validations and their messages.
 */
export function checkTypes(policy: Policy, kinds: KindRegistry, kindOf: KindFinder, reports: Collector): void {
  const params = policy.paramKind && typeOf(policy.paramKind, kinds);
  const reporter = reporterFor(policy.input, reports);
  for (const gvk of selectedKinds(
    policy.match.rules.map(({ written }) => written),
    kindOf,
  )) {
    const object = typeOf(gvk, kinds);
    const declared = new Map<string, CelType>();
    const check = ({ text }: Expression) =>
      checkForApiServer(text, variablesOf({ object, params }, declared), policyEnvironment());
    for (const [name, variable] of policy.variables) declared.set(name, check(variable).checked?.type ?? DYN);
    const expressions = policy.validations.flatMap((one) => [one, one.messageExpression ?? []].flat());
    for (const expression of expressions) {
      for (const { message, offset, hint } of check(expression).issues) {
        const about = {
          message: phrase`for ${{ kind: gvk.kind }}: ${{ reason: message }}`,
          path: expression.path,
          offset,
        };
        const more = hint && { hint: quotedHint(hint) };
        reporter.report({ code: 'policy-type', severity: 'warning', ...about, ...more });
      }
    }
  }
}

type KindFinder = (resource: string, group: string, version: string) => string | undefined;

function selectedKinds(rules: readonly Value[], kindOf: KindFinder): GroupVersionKind[] {
  const selected = rules.flatMap((rule) => {
    const [groups, versions, resources] = ['apiGroups', 'apiVersions', 'resources'].map((key) =>
      listAt(rule, key).map(String),
    ) as [string[], string[], string[]];
    if ([...groups, ...versions].includes('*')) return [];
    return firstKinds(groups, versions, resources, kindOf);
  });
  const byName = new Map(selected.map((gvk) => [[gvk.group, gvk.version, gvk.kind].join('/'), gvk]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, gvk]) => gvk);
}

/** A resource that a rule selects. */
interface SelectedResource {
  group: string;
  version: string;
  resource: string;
}

function* combinationsOf(
  groups: readonly string[],
  versions: readonly string[],
  resources: readonly string[],
): Generator<SelectedResource> {
  for (const group of groups) {
    for (const version of versions) {
      for (const resource of resources) yield { group, version, resource };
    }
  }
}

/** Returns the first kinds of a rule; not found ones count too, because a rule may multiply its lists. */
function firstKinds(
  groups: readonly string[],
  versions: readonly string[],
  resources: readonly string[],
  kindOf: KindFinder,
): GroupVersionKind[] {
  const found: GroupVersionKind[] = [];
  let left = MOST_COMBINATIONS;
  for (const { group, version, resource } of combinationsOf(groups, versions, resources)) {
    if (found.length === MOST_KINDS || left === 0) break;
    left -= 1;
    const kind = kindOf(resource, group, version);
    if (kind !== undefined) found.push({ group, version, kind });
  }
  return found;
}

function typeOf(gvk: GroupVersionKind, kinds: KindRegistry): CelType {
  const schema = kinds.find(gvk)?.schema;
  return (schema && declaredType(schema, gvk.kind)) ?? DYN;
}

export type PolicyScope = ReadonlyMap<string, CelType>;

const FIELDS =
  /^(?:(?:validations|variables|matchConditions)\.expression|validations\.messageExpression|auditAnnotations\.valueExpression)$/;

/** Returns the names for an expression of an incomplete policy. `object` has the fields of all of its kinds. */
export function policyScope(policy: Value, path: Path, kinds: KindRegistry): PolicyScope | undefined {
  const [spec, list, index, field] = path;
  if (spec !== 'spec' || path.length !== 4 || !FIELDS.test(`${list}.${field}`)) return undefined;
  const rules = listOf(getAt(policy, ['spec', 'matchConstraints', 'resourceRules']));
  const types = selectedKinds(rules, kindFinder(new Map(), kinds)).map((gvk) => typeOf(gvk, kinds));
  const kind = getAt(policy, ['spec', 'paramKind']);
  const params = isMap(kind) ? typeOf(groupVersionKind(kind), kinds) : undefined;
  const known = { object: anyOf(types), params, authorizer: field !== 'messageExpression' };
  if (list === 'matchConditions') return variablesOf(known, undefined);
  const declared = new Map<string, CelType>();
  for (const [at, variable] of listOf(getAt(policy, ['spec', 'variables'])).entries()) {
    if (list === 'variables' && at >= Number(index)) break;
    const inspected = inspectPolicy(textAt(variable, 'expression'), variablesOf(known, declared));
    declared.set(textAt(variable, 'name'), inspected?.types.get(inspected.parsed.root.id) ?? DYN);
  }
  return variablesOf(known, declared);
}

export function inspectPolicy(source: string, scope: PolicyScope): InspectedExpression | undefined {
  const parsed = parseRecovering(source);
  return parsed && inspect(policyEnvironment(), parsed, scope);
}

/** Returns a type with the fields of several types; if none is an object, the first one. */
function anyOf(types: readonly CelType[]): CelType {
  const [first = DYN, ...others] = types;
  const objects = types.flatMap((type) => (type.kind === 'object' ? [type] : []));
  if (others.length === 0 || objects.length === 0) return first;
  const names = new Set(objects.flatMap((type) => type.fieldNames()));
  return {
    kind: 'object',
    name: 'object',
    open: true,
    fieldNames: () => [...names],
    field: (name) => (names.has(name) ? anyOf(objects.flatMap((type) => type.field(name) ?? [])) : undefined),
  };
}
