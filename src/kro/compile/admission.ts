import { type Collector, hasErrors } from '../../core/diagnostics/index.ts';
import { type Admission, compileAdmission } from '../../kubernetes/validation/index.ts';
import type { Definition } from '../definition/index.ts';
import { instanceSchema, toOpenApi } from '../simpleschema/index.ts';
import { crdOf } from './rgd.ts';
import { compileRules } from './rules.ts';

/**
 * Returns the admission of instances of an RGD that does not compile: the schema of its spec may be valid. Returns
 * `undefined` if it is not. `compileRgds` reports the errors.
 */
export function admissionOf(definition: Definition, reports: Collector): Admission | undefined {
  if (reports.limitReached) return undefined;
  const { schema: spec, problems } = toOpenApi({ spec: definition.schema.spec, types: definition.schema.types });
  if (hasErrors(problems)) return undefined;
  const schema = instanceSchema(crdOf(definition, spec, undefined));
  return compileAdmission(schema, { rules: compileRules(schema, () => {}).runner });
}
