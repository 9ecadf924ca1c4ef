import type { Problem } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { type Budget, createBudget } from '../../languages/cel/index.ts';
import { objectMetaSchema, type Schema } from '../schema/index.ts';
import { compileCheck } from './check.ts';
import { checkMetadata } from './metadata.ts';
import { compileRuleWalk, type RuleRunner } from './rules.ts';
import { startVisit } from './visit.ts';

export { compileCheck } from './check.ts';
export { asResource, type ConformityCheck, conformityOf } from './conformity.ts';
export { CHECKED_FORMATS, hasFormat } from './formats/index.ts';
export { compileRuleWalk, earlierItems, type RuleRunner, type RuleWalk } from './rules.ts';
export { isBooleanWord } from './type.ts';
export { createPatternBudget, startVisit } from './visit.ts';

export interface Admission {
  /**
   * Admits a new instance as an API server would: with defaults, without status and without nulls. After an error it
   * must not be used. Validation rules use `budget`. `hints` enables suggestions for unknown fields. `values` counts
   * the visited values, including defaults.
   */
  admit(
    instance: KubeObject,
    budget?: Budget,
    hints?: boolean,
  ): { object: KubeObject; problems: Problem[]; values: number };
}

/**
 * Compiles the schema of a generated CRD. The order is that of the API server: nulls, defaults, unknown fields, the
 * schema, and, if all of it is valid, the validation rules. A JSON Schema library cannot do this: it supports neither
 * int64 nor RE2, and structural defaulting and pruning are specific to Kubernetes.
 */
export function compileAdmission(crdSchema: Schema, { rules }: { rules: RuleRunner }): Admission {
  // Status is dropped when an object is created, and metadata has its own rules.
  const { status: _, metadata: __, ...properties } = crdSchema.properties ?? {};
  const schema: Schema = { ...crdSchema, properties };
  const check = compileCheck(schema);
  const walk = compileRuleWalk(schema, rules);
  return {
    admit(instance, budget = createBudget(), hints = true) {
      const visit = startVisit([], undefined, () => budget);
      visit.hints = hints;
      const { status: _, metadata: given, ...rest } = instance;
      const content = check(rest, visit) as ValueMap;
      visit.path.push('metadata');
      const metadata = checkMetadata(given, visit, compileCheck(objectMetaSchema, 'typed'));
      visit.path.pop();
      if (visit.problems.length === 0) walk?.(content, visit);
      const { apiVersion, kind } = instance;
      return {
        object: { apiVersion, kind, metadata, ...content },
        problems: visit.problems,
        values: visit.values.of - visit.values.left,
      };
    },
  };
}
