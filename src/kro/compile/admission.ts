import { type Collector, hasErrors } from '../../core/diagnostics/index.ts';
import { type Admission, compileAdmission } from '../../kubernetes/validation/index.ts';
import type { Definition } from '../definition/index.ts';
import { instanceSchema, toOpenApi } from '../simpleschema/index.ts';
import { crdOf } from './rgd.ts';
import { compileRules } from './rules.ts';

/**
 * What admits the instances of an RGD that cannot be compiled: the schema of its spec may be right all the same.
 * `undefined` when it is not. Nothing is reported: `compileRgds` did.
 */
export function admissionOf(definition: Definition, reports: Collector): Admission | undefined {
  if (reports.limitReached) return undefined;
  const { schema: spec, problems } = toOpenApi({ spec: definition.schema.spec, types: definition.schema.types });
  if (hasErrors(problems)) return undefined;
  const schema = instanceSchema(crdOf(definition, spec, undefined));
  return compileAdmission(schema, { rules: compileRules(schema, () => {}).runner });
}
