import { phrase } from '../../core/diagnostics/index.ts';
import { type Path, textsIn } from '../../core/model/value.ts';
import { partsOf } from '../../kro/compile/index.ts';
import { type Definition, helmTemplateIn, plainReferenceIn } from '../../kro/definition/index.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/** Returns the fields of a schema and of its types, with their markers. */
function* writtenFields({ schema }: Definition): Iterable<{ markers: ReturnType<typeof markersOf>; path: Path }> {
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

/**
 * Reports a text with the name of a field that is no expression, because it lacks the $ or the braces, and one with a
 * template of Helm.
 */
export function* plainReference({ definition, graph }: Subject): Iterable<LintProblem> {
  const names = new Set(['schema', ...definition.nodes.map(({ id }) => id)]);
  for (const [index, { template, path }] of definition.nodes.entries()) {
    if (template === undefined) continue;
    for (const { text, path: at } of textsIn(template, [...path, 'template'])) {
      const problem = inText(text, names);
      if (problem !== undefined) yield { ...problem, path: at, node: graph.nodes[index] };
    }
  }
}

function inText(text: string, names: ReadonlySet<string>): Omit<LintProblem, 'path'> | undefined {
  for (const part of partsOf(text)) {
    if (!('text' in part)) continue;
    const helm = helmTemplateIn(part.text);
    if (helm !== undefined)
      return { message: phrase`'${helm.written}' stays as text: Helm does not run here`, hint: phrase`${helm.hint}` };
    const found = plainReferenceIn(part.text);
    if (found === undefined || !names.has(found.name.split('.')[0] ?? '')) continue;
    return { message: phrase`'${found.name}' stays as text: it is in no expression`, hint: phrase`${found.hint}` };
  }
  return undefined;
}

const QUOTED = /^\s*([\u201C\u201E\u2018]).*([\u201C\u201D\u2019])\s*$/su;

/** Reports a default or another marker, and a text of a template, in typographic quotes, which are part of the value. */
export function* typographicQuotes({ definition }: Subject): Iterable<LintProblem> {
  for (const { markers, path } of writtenFields(definition))
    for (const { value, offset } of markers) yield* quotesIn(value, path, offset);
  for (const { template, path } of definition.nodes) {
    for (const { text, path: at } of textsIn(template, [...path, 'template'])) yield* quotesIn(text, at);
  }
}

function* quotesIn(text: string, path: Path, offset = 0): Iterable<LintProblem> {
  const [, first, last] = QUOTED.exec(text) ?? [];
  if (first === undefined || last === undefined) return;
  const message = phrase`the quotes ${first} and ${last} are part of the text`;
  yield { message, path, offset, hint: phrase`write " in their place` };
}
