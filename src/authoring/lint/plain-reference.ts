import { phrase } from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { partsOf } from '../../kro/compile/index.ts';
import { helmTemplateIn, plainReferenceIn } from '../../kro/definition/index.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/**
 * Reports a text with the name of a field that is no expression, because it lacks the $ or the braces, and one with a
 * template of Helm.
 */
export function* plainReference({ definition, graph }: Subject): Iterable<LintProblem> {
  const names = new Set(['schema', ...definition.nodes.map(({ id }) => id)]);
  for (const [index, { template, path }] of definition.nodes.entries()) {
    if (template === undefined) continue;
    for (const finding of inValue(template, [...path, 'template'], names))
      yield { ...finding, node: graph.nodes[index] };
  }
}

function* inValue(value: Value, path: Path, names: ReadonlySet<string>): Iterable<LintProblem> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* inValue(item, [...path, index], names);
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) yield* inValue(value[key] as Value, [...path, key], names);
  } else if (typeof value === 'string') {
    for (const part of partsOf(value)) {
      if (!('text' in part)) continue;
      const helm = helmTemplateIn(part.text);
      if (helm !== undefined) {
        yield {
          message: phrase`'${helm.written}' stays as text: Helm does not run here`,
          path,
          hint: phrase`${helm.hint}`,
        };
        return;
      }
      const found = plainReferenceIn(part.text);
      if (found === undefined || !names.has(found.name.split('.')[0] ?? '')) continue;
      const message = phrase`'${found.name}' stays as text: it is in no expression`;
      yield { message, path, hint: phrase`${found.hint}` };
      return;
    }
  }
}

const QUOTED = /^\s*([\u201C\u201E\u2018]).*([\u201C\u201D\u2019])\s*$/su;

/** Reports a default or another marker, and a text of a template, in typographic quotes, which are part of the value. */
export function* typographicQuotes({ definition }: Subject): Iterable<LintProblem> {
  for (const part of ['spec', 'types'] as const) {
    for (const { text, path } of textsIn(definition.schema[part], ['spec', 'schema', part])) {
      for (const { value, offset } of markersOf(text)) yield* quotesIn(value, path, offset);
    }
  }
  for (const { template, path } of definition.nodes) {
    for (const { text, path: at } of textsIn(template, [...path, 'template'])) yield* quotesIn(text, at);
  }
}

function* textsIn(value: Value | undefined, path: Path): Iterable<{ text: string; path: Path }> {
  if (typeof value === 'string') yield { text: value, path };
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  if (isMap(value)) for (const key of Object.keys(value)) yield* textsIn(value[key], [...path, key]);
}

function* quotesIn(text: string, path: Path, offset = 0): Iterable<LintProblem> {
  const [, first, last] = QUOTED.exec(text) ?? [];
  if (first === undefined || last === undefined) return;
  const message = phrase`the quotes ${first} and ${last} are part of the text`;
  yield { message, path, offset, hint: phrase`write " in their place` };
}
