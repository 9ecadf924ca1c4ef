import type { Path } from '../../core/model/value.ts';
import type { CompiledExpression } from '../../kro/compile/index.ts';
import type { InstanceRun } from '../../kro/expand/index.ts';
import type { RuleName } from '../../kro/semantics.ts';
import { objectMetaSchema, type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import { createBudget, EvaluationError, Optional } from '../../languages/cel/index.ts';

/** The expression that a rule is about, and its error, `undefined` for an optional without a value. */
export interface Culprit {
  expression: CompiledExpression;
  error: EvaluationError | undefined;
  /** The value for a read that finds nothing; otherwise the empty value of its type. */
  fallback: string | undefined;
}

/** Returns the expression of a node because of which a rule makes a difference; `before` is the run without the rule. */
export function culpritOf(
  rule: RuleName,
  run: InstanceRun,
  index: number,
  before: InstanceRun | undefined,
): Culprit | undefined {
  const node = run.graph.nodes[index];
  if (node === undefined) return undefined;
  const lists = node.forEach.map(({ expression }) => expression);
  const [some, at] = rule.startsWith('forEach')
    ? [lists, run]
    : rule === 'emptyCollectionReadsNothing'
      ? [node.shared, before ?? run]
      : [node.includeWhen, run];
  for (const expression of some) {
    const value = resultOf(expression, at);
    if (value === 'absent') return { expression, error: undefined, fallback: 'false' };
    if (value instanceof EvaluationError)
      return { expression, error: value, fallback: some === lists ? '[]' : undefined };
  }
  return undefined;
}

function resultOf(expression: CompiledExpression, run: InstanceRun) {
  try {
    const value = expression.program.run(run.frame, createBudget(run.world.options));
    return value instanceof Optional && value.value === undefined ? 'absent' : undefined;
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

const EMPTY: Readonly<Record<string, string>> = {
  string: '""',
  integer: '0',
  number: '0.0',
  boolean: 'false',
  array: '[]',
  object: '{}',
};

/** Returns the empty value of the type of a field. */
function emptyValueOf(variable: string, path: Path, { graph }: InstanceRun): string | undefined {
  const instance: Schema = { ...graph.schema, properties: { ...graph.schema.properties, metadata: objectMetaSchema } };
  return EMPTY[schemaAt(variable === 'schema' ? instance : graph.nodeById.get(variable)?.schema, path)?.type ?? ''];
}

/**
 * Returns the expression with an optional read of the missing field and a fallback, which has the same result in all
 * releases; `undefined` if its text does not name the field.
 */
export function rewriteOf({ expression, error, fallback }: Culprit, run: InstanceRun): string | undefined {
  const source = expression.source.trim();
  if (error === undefined) return `\${${/^[\w.?[\]"']+$/.test(source) ? source : `(${source})`}.orValue(${fallback})}`;
  const { variable = '', path = [] } = error.read ?? {};
  if (path.length === 0) return undefined;
  const steps = path.map((step) => `(?:\\.${escaped(step)}|\\[["']?${escaped(step)}["']?\\])`).join('');
  const found = new RegExp(`(?<![\\w.])${variable}${steps}(?!\\w)((?:\\.\\w+(?![\\w(]))*)`).exec(source);
  if (found === null) return undefined;
  const [whole, rest = ''] = found;
  const before = source.slice(0, found.index);
  const read = whole.slice(0, whole.length - rest.length).replace(/(\.|\[)(?=["']?[^.[]*$)/, '$1?');
  const value = fallback ?? emptyValueOf(variable, [...(path as Path), ...rest.split('.').slice(1)], run);
  if (value === undefined) return undefined;
  return `\${${before}${read}${rest}.orValue(${value})${source.slice(found.index + whole.length)}}`;
}

const escaped = (step: unknown): string => String(step).replace(/\W/g, String.raw`\$&`);
