import { phrase, shown } from '../../core/diagnostics/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileRegex, EvaluationError, patternSize } from '../../languages/cel/index.ts';
import { type SchemaBudget, tooManyPatterns } from './budget.ts';
import { parseInt64, parseNumber, trimSpace } from './go-text.ts';
import { type MarkerProblem, notApplicable, withHint } from './marker-problem.ts';

/** kro accepts bounds on any type and Kubernetes then ignores them, so a bound on a string would have no effect. */
export function applyBound(draft: Schema, name: 'minimum' | 'maximum', value: string): MarkerProblem | undefined {
  if (draft.type !== 'integer' && draft.type !== 'number') {
    const sized = draft.type === 'array' ? 'Items' : 'Length';
    const hint =
      draft.type === 'string' || draft.type === 'array' ? phrase`use ${name.slice(0, 3)}${shown(sized)}` : undefined;
    return notApplicable(name, 'integer and float', draft, hint);
  }
  const bound = parseNumber(/^[+-]?\d+(_\d+)+$/.test(value) ? value.replaceAll('_', '') : value);
  if (bound === undefined)
    return { code: 'marker-value', message: phrase`${shown(name)} must be a number, got: ${value}` };
  // Bounds are doubles in a CRD, whatever the digits of the marker are.
  draft[name] = typeof bound === 'bigint' ? BigInt(Number(bound)) : bound;
  return undefined;
}

export function applySize(
  draft: Schema,
  name: 'minLength' | 'maxLength' | 'minItems' | 'maxItems',
  type: 'string' | 'array',
  value: string,
): MarkerProblem | undefined {
  if (draft.type !== type) return notApplicable(name, type === 'string' ? 'string' : 'list', draft);
  const size = parseInt64(value);
  if (size === undefined)
    return { code: 'marker-value', message: phrase`${shown(name)} must be a whole number, got: ${value}` };
  draft[name] = size;
  return undefined;
}

export function applyEnum(draft: Schema, value: string): MarkerProblem | undefined {
  if (draft.type !== 'string' && draft.type !== 'integer') return notApplicable('enum', 'string and integer', draft);
  const values: (string | bigint)[] = [];
  for (const part of value.split(',').map(trimSpace)) {
    if (part === '') return { code: 'marker-value', message: phrase`empty enum values are not allowed` };
    const read = draft.type === 'string' ? part : parseInt64(part);
    if (read === undefined)
      return { code: 'marker-value', message: phrase`'${part}' is not an integer, so it cannot be in the enum` };
    values.push(read);
  }
  draft.enum = values;
  return undefined;
}

export function applyPattern(draft: Schema, value: string, budget: SchemaBudget): MarkerProblem | undefined {
  if (value === '') return { code: 'marker-value', message: phrase`the pattern is empty` };
  if (draft.type !== 'string') return notApplicable('pattern', 'string', draft);
  budget.patterns -= patternSize(value);
  if (budget.patterns < 0) return tooManyPatterns;
  try {
    compileRegex(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const hint = /\(\?(<?[=!])/.test(value)
      ? phrase`RE2 has no look-around; say it with validation="..." instead`
      : undefined;
    return withHint({ code: 'marker-value', message: phrase`invalid pattern: ${error.message}` }, hint);
  }
  draft.pattern = value;
  return undefined;
}
