import { groupVersionKind } from '../../core/model/object.ts';
import { getAt, isMap, listOf, type Path, textAt, type Value } from '../../core/model/value.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { type CelType, DYN, type InspectedExpression, inspect, parseRecovering } from '../../languages/cel/index.ts';
import { policyEnvironment, variablesOf } from './environment.ts';
import { readMatch } from './match.ts';
import { kindFinder } from './request.ts';
import { selectedKinds, typeOf } from './types.ts';

/** The names that an expression of a policy may use, with their types. */
export type PolicyScope = ReadonlyMap<string, CelType>;

const FIELDS =
  /^(?:(?:validations|variables|matchConditions)\.expression|validations\.messageExpression|auditAnnotations\.valueExpression)$/;

/**
 * Returns the names for the expression at a path of a policy, which may be incomplete; `undefined` for another field.
 * `object` has the fields of all kinds that the policy selects.
 */
export function policyScope(policy: Value, path: Path, kinds: KindRegistry): PolicyScope | undefined {
  const [spec, list, index, field] = path;
  if (spec !== 'spec' || path.length !== 4 || !FIELDS.test(`${list}.${field}`)) return undefined;
  const constraints = getAt(policy, ['spec', 'matchConstraints']);
  const { rules } = readMatch(isMap(constraints) ? constraints : {}, [], () => {});
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
  const names = [...new Set(objects.flatMap((type) => type.fieldNames()))];
  return {
    kind: 'object',
    name: 'object',
    open: true,
    fieldNames: () => names,
    field: (name) => (names.includes(name) ? anyOf(objects.flatMap((type) => type.field(name) ?? [])) : undefined),
  };
}
