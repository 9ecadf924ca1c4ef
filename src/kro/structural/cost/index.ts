import { type Problem, phrase, shown } from '../../../core/diagnostics/index.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import type { Path } from '../../../core/model/value.ts';
import { partsOf, type Schema, type ValidationRule } from '../../../kubernetes/schema/index.ts';
import type { CheckedExpression } from '../../../languages/cel/index.ts';
import { maxCost, times } from './estimate.ts';
import { mostTimes, sizedBy } from './sizes.ts';

/** The cost limits of one rule, and of a CRD (k8s.io/apiextensions-apiserver, StaticEstimatedCostLimit). */
const RULE_LIMIT = 10_000_000;
const CRD_LIMIT = 100_000_000;

/**
 * Returns the rules of a schema over the API server's budget. Paths are those of the fields. A rule that is evaluated
 * for each of many values is an error; one that is evaluated once is a warning: kro's engine renders such RGDs, and
 * only a bound on its field is missing.
 */
export function costProblems(
  root: Schema,
  path: Path,
  checkedOf: (rule: ValidationRule) => CheckedExpression | undefined,
): Problem[] {
  const problems: Problem[] = [];
  const sized = sizedBy();
  const costs = new Map<Schema, number[]>();
  let total = 0;
  const ruleCosts = (schema: Schema): number[] =>
    getOrCompute(costs, schema, () => {
      const size = sized(schema);
      return (schema['x-kubernetes-validations'] ?? []).map((rule) => {
        const checked = checkedOf(rule);
        return checked === undefined || size === undefined ? 0 : maxCost(checked, size);
      });
    });
  /** `often`: the maximum number of values, undefined without a limit. */
  const visit = (schema: Schema, at: Path, often: number | undefined): void => {
    if (!hasRules(schema)) return;
    ruleCosts(schema).forEach((cost, index) => {
      const all = times(cost, often ?? mostTimes(sized(schema)?.smallest ?? 0));
      total += all;
      if (all > RULE_LIMIT)
        problems.push({ ...overBudget(schema, index, all, at), severity: often === 1 ? 'warning' : 'error' });
    });
    for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, [...at, name], often);
    const { items, maxItems, additionalProperties } = schema;
    const most =
      maxItems === undefined || often === undefined ? undefined : times(often, Math.max(0, Number(maxItems)));
    if (items !== undefined) visit(items, at, most);
    if (typeof additionalProperties === 'object') visit(additionalProperties, at, undefined);
  };
  const known = new Map<Schema, boolean>();
  const hasRules = (schema: Schema): boolean =>
    getOrCompute(known, schema, () => {
      const below = partsOf(schema).some((part) => hasRules(part.schema));
      return schema['x-kubernetes-validations'] !== undefined || below;
    });
  visit(root, path, 1);
  if (problems.length === 0 && total > CRD_LIMIT) {
    const message = phrase`all validation rules together may cost ${timesOver(total, CRD_LIMIT)} the budget of an API server`;
    problems.push({ code: 'crd-refused', message, path, severity: 'warning', hint: HINT });
  }
  return problems;
}

const HINT = phrase`bound the lists and texts around it: maxItems, maxLength; maps have no bound`;

function overBudget(schema: Schema, index: number, cost: number, path: Path): Problem {
  const rule = schema['x-kubernetes-validations']?.[index]?.rule;
  const message = phrase`the rule '${shown(rule ?? '')}' may cost ${timesOver(cost, RULE_LIMIT)} the budget of an API server`;
  return { code: 'crd-refused', message, path, hint: HINT };
}

function timesOver(cost: number, limit: number): string {
  const factor = cost / limit;
  return factor > 100 ? 'more than 100 times' : `${factor.toFixed(1)} times`;
}
