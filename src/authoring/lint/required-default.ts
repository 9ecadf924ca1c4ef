import { phrase } from '../../core/diagnostics/index.ts';
import { type Path, textsIn } from '../../core/model/value.ts';
import type { Definition } from '../../kro/definition/index.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/** Returns the fields of a schema and of its types, with their markers. */
export function* writtenFields({
  schema,
}: Definition): Iterable<{ markers: ReturnType<typeof markersOf>; path: Path }> {
  for (const part of ['spec', 'types'] as const)
    for (const { text, path } of textsIn(schema[part], ['spec', 'schema', part]))
      yield { markers: markersOf(text), path };
}

/** Reports a required field with a default: the default always exists, so nothing is required. */
export function* requiredDefault({ definition }: Subject): Iterable<LintProblem> {
  for (const { markers, path } of writtenFields(definition)) {
    const required = markers.find((marker) => marker.name === 'required' && marker.value === 'true');
    if (required === undefined || !markers.some(({ name }) => name === 'default')) continue;
    const message = phrase`the field is required and has a default, so instances never have to set it`;
    yield { message, path, offset: required.offset, hint: phrase`remove required=true, or the default` };
  }
}

/** Reports a default that looks like an expression, which kro treats as text. */
export function* defaultExpression({ definition }: Subject): Iterable<LintProblem> {
  for (const { markers, path } of writtenFields(definition)) {
    const found = markers.find((marker) => marker.name === 'default' && marker.value.includes('${'));
    if (found === undefined) continue;
    const message = phrase`a default is literal text: the expression in it is not evaluated`;
    const hint = phrase`compute the value in the template: \${schema.spec.?FIELD.orValue(...)}`;
    yield { message, path, offset: found.offset, hint };
  }
}
