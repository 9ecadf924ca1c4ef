import { getAt } from '../model/value.ts';
import { partsOf } from '../rgd/compile/index.ts';
import { type Finding, insideTemplate, type LintedExpression, type Subject } from './subject.ts';

/**
 * One expression and a line break, which a block scalar (`|` or `>`) adds: the value is a text that ends in a line
 * break, and not what the expression yields. The files in a ConfigMap or a Secret are meant to end so.
 */
export function* trailingNewline({ graph, expressions }: Subject): Iterable<Finding> {
  for (const linted of expressions) {
    const { expression, node } = linted;
    if (linted.place !== 'template' || isFile(linted)) continue;
    const text = getAt(graph.input.object, expression.path);
    if (typeof text !== 'string' || !text.endsWith('\n')) continue;
    const parts = partsOf(text);
    const isOnlyExpression = parts.filter((part) => 'source' in part).length === 1;
    if (!isOnlyExpression || parts.some((part) => 'text' in part && part.text.trim() !== '')) continue;
    yield {
      message: 'a line break stands behind the expression, so that the value is a text that ends in one',
      path: expression.path,
      offset: expression.offset,
      node,
      hint: 'write the block scalar with a dash, |- or >-, or the expression in quotes',
    };
  }
}

function isFile(linted: LintedExpression): boolean {
  const { group, kind } = linted.node?.gvk ?? {};
  const [field] = insideTemplate(linted) ?? [];
  return group === '' && (kind === 'ConfigMap' || kind === 'Secret') && (field === 'data' || field === 'stringData');
}
