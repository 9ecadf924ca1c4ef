import { phrase } from '../../core/diagnostics/index.ts';
import { getAt } from '../../core/model/value.ts';
import { partsOf } from '../../kro/compile/index.ts';
import { insideTemplate, type LintedExpression, type LintProblem, type Subject } from './subject.ts';

/**
 * Reports one expression with a line break that a block scalar (`|` or `>`) adds: the value is a string that ends in a
 * line break instead of the result of the expression. Files in a ConfigMap or a Secret are excluded.
 */
export function* trailingNewline({ graph, expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    const { expression, node } = linted;
    if (linted.place !== 'template' || isFile(linted)) continue;
    const text = getAt(graph.input.object, expression.path);
    if (typeof text !== 'string' || !text.endsWith('\n')) continue;
    const parts = partsOf(text);
    const isOnlyExpression = parts.filter((part) => 'source' in part).length === 1;
    if (!isOnlyExpression || parts.some((part) => 'text' in part && part.text.trim() !== '')) continue;
    yield {
      message: phrase`a line break follows the expression, so the value is a string that ends with a line break`,
      path: expression.path,
      offset: expression.offset,
      node,
      hint: phrase`write the block scalar with a dash, |- or >-, or the expression in quotes`,
    };
  }
}

function isFile(linted: LintedExpression): boolean {
  const { group, kind } = linted.node?.gvk ?? {};
  const [field] = insideTemplate(linted) ?? [];
  return group === '' && (kind === 'ConfigMap' || kind === 'Secret') && (field === 'data' || field === 'stringData');
}
