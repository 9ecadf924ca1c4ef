import { phrase } from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/** Reports a default that looks like an expression, which kro treats as text. */
export function* defaultExpression({ definition }: Subject): Iterable<LintProblem> {
  for (const part of ['spec', 'types'] as const) yield* inFields(definition.schema[part], ['spec', 'schema', part]);
}

function* inFields(value: Value | undefined, path: Path): Iterable<LintProblem> {
  if (isMap(value)) {
    for (const key of Object.keys(value)) yield* inFields(value[key], [...path, key]);
    return;
  }
  if (typeof value !== 'string') return;
  const found = markersOf(value).find((marker) => marker.name === 'default' && marker.value.includes('${'));
  if (found === undefined) return;
  const message = phrase`a default is literal text: the expression in it is not evaluated`;
  const hint = phrase`compute the value in the template: \${schema.spec.?FIELD.orValue(...)}`;
  yield { message, path, offset: found.offset, hint };
}
