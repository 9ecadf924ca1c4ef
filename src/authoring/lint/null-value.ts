import { phrase } from '../../core/diagnostics/index.ts';
import { getAt } from '../../core/model/value.ts';
import { partsOf } from '../../kro/compile/index.ts';
import { insideTemplate, type LintProblem, type Subject } from './subject.ts';

/** Reports an optional that is the whole value of a field: without a value, the field is null. */
export function* nullValue({ graph, expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    const { expression, node } = linted;
    if (linted.place !== 'template' || expression.type.kind !== 'optional') continue;
    const [metadata, map] = insideTemplate(linted) ?? [];
    // Null labels and annotations are removed.
    if (metadata === 'metadata' && (map === 'labels' || map === 'annotations')) continue;
    const text = getAt(graph.input.object, expression.path);
    if (typeof text !== 'string' || partsOf(text).length !== 1) continue;
    const source = expression.source.trim();
    yield {
      message: phrase`the expression yields an optional, which is written as null if it has no value`,
      path: expression.path,
      offset: expression.offset,
      node,
      hint: phrase`add a fallback, (${source}).orValue(...), or create the map that contains the field: {?"field": ${source}}`,
    };
  }
}
