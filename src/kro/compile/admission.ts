import { type Collector, hasErrors } from '../../core/diagnostics/index.ts';
import { type Admission, compileAdmission } from '../../kubernetes/validation/index.ts';
import type { Definition } from '../definition/index.ts';
import { instanceSchema, toCrd, toOpenApi } from '../simpleschema/index.ts';
import { compileRules } from './rules.ts';

/** Returns the admission of instances of an RGD that does not compile: the schema of its spec may be valid. */
export function admissionOf(definition: Definition, reports: Collector): Admission | undefined {
  if (reports.limitReached) return undefined;
  const { schema: spec, problems } = toOpenApi(definition.schema);
  if (hasErrors(problems)) return undefined;
  const schema = instanceSchema(toCrd(definition, spec));
  return compileAdmission(schema, { rules: compileRules(schema, () => {}).runner });
}
