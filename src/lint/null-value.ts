import { getAt } from '../model/value.ts';
import { partsOf } from '../rgd/compile/index.ts';
import { type Finding, insideTemplate, type Subject } from './subject.ts';

/** An optional that is the whole value of a field: where there is none, the field is null. */
export function* nullValue({ graph, expressions }: Subject): Iterable<Finding> {
  for (const linted of expressions) {
    const { expression, node } = linted;
    if (linted.place !== 'template' || expression.type.kind !== 'optional') continue;
    const [metadata, map] = insideTemplate(linted) ?? [];
    // Labels and annotations that come out null are left out.
    if (metadata === 'metadata' && (map === 'labels' || map === 'annotations')) continue;
    const text = getAt(graph.input.object, expression.path);
    if (typeof text !== 'string' || partsOf(text).length !== 1) continue;
    const source = expression.source.trim();
    yield {
      message: 'the expression yields an optional: where there is no value, null is written',
      path: expression.path,
      offset: expression.offset,
      node,
      hint: `give a fallback, (${source}).orValue(...), or make the map that holds the field: {?"field": ${source}}`,
    };
  }
}
