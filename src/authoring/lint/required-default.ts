import { phrase } from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/** Reports a required field with a default: the default always exists, so nothing is required. */
export function* requiredDefault({ definition }: Subject): Iterable<LintProblem> {
  for (const part of ['spec', 'types'] as const) yield* inFields(definition.schema[part], ['spec', 'schema', part]);
}

function* inFields(value: Value | undefined, path: Path): Iterable<LintProblem> {
  if (isMap(value)) {
    for (const key of Object.keys(value)) yield* inFields((value as ValueMap)[key], [...path, key]);
    return;
  }
  if (typeof value !== 'string') return;
  const markers = markersOf(value);
  const required = markers.find((marker) => marker.name === 'required' && marker.value === 'true');
  if (required === undefined || !markers.some(({ name }) => name === 'default')) return;
  const message = phrase`the field is required and has a default, so instances never have to set it`;
  yield { message, path, offset: required.offset, hint: phrase`remove required=true, or the default` };
}
