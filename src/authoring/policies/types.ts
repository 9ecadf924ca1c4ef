import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { checkForApiServer, declaredType } from '../../kro/compile/index.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { type CelType, DYN } from '../../languages/cel/index.ts';
import { policyEnvironment, variablesOf } from './environment.ts';
import type { Match } from './match.ts';
import type { Expression, Policy } from './read.ts';

/** The maximum number of kinds for which an API server checks one rule. */
const MOST_KINDS = 10;

/**
 * Reports where the expressions of a policy do not fit the kinds that it selects, as an API server does in
 * `status.typeChecking`: of rules without wildcards, and of validations and their messages.
 */
export function checkTypes(policy: Policy, kinds: KindRegistry, kindOf: KindFinder, reports: Collector): void {
  const params = policy.paramKind && typeOf(policy.paramKind, kinds);
  const reporter = reporterFor(policy.input, reports);
  for (const gvk of selectedKinds(policy.match.rules, kindOf)) {
    const object = typeOf(gvk, kinds);
    const declared = new Map<string, CelType>();
    const check = ({ text }: Expression) =>
      checkForApiServer(text, variablesOf({ object, params }, declared), policyEnvironment());
    for (const [name, variable] of policy.variables) declared.set(name, check(variable).checked?.type ?? DYN);
    const expressions = policy.validations.flatMap((one) => [one, one.messageExpression ?? []].flat());
    for (const expression of expressions) {
      for (const { message, offset, hint } of check(expression).issues) {
        const about = { message: phrase`for ${shown(gvk.kind)}: ${message}`, path: expression.path, offset };
        const more = hint && { hint: phrase`${hint}` };
        reporter.report({ code: 'policy-type', severity: 'warning', ...about, ...more });
      }
    }
  }
}

type KindFinder = (resource: string, group: string, version: string) => string | undefined;

/** Returns the kinds that rules without wildcards select. */
export function selectedKinds(rules: Match['rules'], kindOf: KindFinder): GroupVersionKind[] {
  const selected = new Map<string, GroupVersionKind>();
  for (const { groups, versions, resources } of rules) {
    if ([...groups, ...versions].includes('*')) continue;
    let count = 0;
    for (const group of groups) {
      for (const version of versions) {
        for (const resource of resources) {
          const kind = kindOf(resource, group, version);
          if (kind === undefined || count === MOST_KINDS) continue;
          count += 1;
          selected.set([group, version, kind].join('/'), { group, version, kind });
        }
      }
    }
  }
  return [...selected].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, gvk]) => gvk);
}

export function typeOf(gvk: GroupVersionKind, kinds: KindRegistry): CelType {
  const schema = kinds.find(gvk)?.schema;
  return (schema && declaredType(schema, gvk.kind)) ?? DYN;
}
