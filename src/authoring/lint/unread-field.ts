import { phrase } from '../../core/diagnostics/index.ts';
import { upToEach } from '../../core/model/path.ts';
import { getAt, isMap, type Value } from '../../core/model/value.ts';
import { partsOf, readsOf } from '../../kro/compile/index.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import { mentions, parse } from '../../languages/cel/index.ts';
import type { LintProblem, Subject } from './subject.ts';
import { readsBelow, unreadIn } from './unread.ts';

/**
 * Reports a field of the schema that no expression reads, nor any validation rule of a parent field. Other diagnostics
 * report a text that names it and is no expression.
 */
export function* unreadField({ definition, expressions }: Subject): Iterable<LintProblem> {
  const paths = expressions.flatMap(({ expression, node }) =>
    readsOf(expression, node)
      .filter(({ root }) => root === 'schema')
      .map(({ path }) => upToEach(path)),
  );
  const text = definition.nodes.flatMap(({ template }) => [...plainTextsIn(template)]).join('\n');
  const { spec } = definition.schema;
  for (const field of unreadIn(spec, readsBelow(['spec'], paths))) {
    if (isInRule(getAt(spec, field)) || isNamedIn(text, field.join('.'))) continue;
    const path = ['spec', ...field];
    const hint = phrase`remove it, or read it: instances that set it change nothing`;
    yield { message: phrase`nothing reads schema.${path.join('.')}`, path: ['spec', 'schema', ...path], hint };
  }
}

/** Returns the parts of templates that are no expressions. */
function* plainTextsIn(value: Value | undefined): Iterable<string> {
  if (typeof value === 'string') for (const part of partsOf(value)) if ('text' in part) yield part.text;
  if (isMap(value) || Array.isArray(value)) for (const inner of Object.values(value)) yield* plainTextsIn(inner);
}

/** Reports whether a text names a field in the syntax of an expression that is not closed, or of Helm. */
const isNamedIn = (text: string, field: string): boolean =>
  ['schema.spec.', '.Values.'].some((start) => text.includes(`${start}${field}`));

/** A field with a rule that reads more than its existence is used by the rule. */
function isInRule(type: Value | undefined): boolean {
  if (typeof type !== 'string') return false;
  return markersOf(type).some(({ name, value }) => {
    const parsed = name === 'validation' ? parse(value) : undefined;
    return parsed?.ok === true && mentions(parsed.expression.root, 'self');
  });
}
