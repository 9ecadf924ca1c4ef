import { phrase } from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import type { LintProblem, Subject } from './subject.ts';

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
