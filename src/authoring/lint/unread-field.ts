import { phrase } from '../../core/diagnostics/index.ts';
import { upToEach } from '../../core/model/path.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { partsOf, readsOf } from '../../kro/compile/index.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import { children, type Expr, parse } from '../../languages/cel/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/**
 * Reports a field of the schema that no expression reads, nor any validation rule of a parent field. Other diagnostics
 * report a text that names it and is no expression.
 */
export function* unreadField({ definition, expressions }: Subject): Iterable<LintProblem> {
  const read = readTogether(
    expressions.flatMap(({ expression, node }) =>
      readsOf(expression, node)
        .filter(({ root }) => root === 'schema')
        .map(({ path }) => upToEach(path)),
    ),
  );
  if (read.whole) return;
  const text = definition.nodes.flatMap(({ template }) => [...plainTextsIn(template)]).join('\n');
  for (const finding of unreadIn(definition.schema.spec, ['spec'], read.inside.get('spec'))) {
    const field = finding.path.slice(3);
    if (!isNamedIn(text, field.join('.'))) yield finding;
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

/** The reads of a value. */
interface FieldRead {
  whole: boolean;
  inside: Map<string | number, FieldRead>;
}

function readTogether(paths: readonly Path[]): FieldRead {
  const all: FieldRead = { whole: false, inside: new Map() };
  for (const path of paths) {
    let at = all;
    for (const step of path) {
      const next = at.inside.get(step) ?? { whole: false, inside: new Map() };
      at.inside.set(step, next);
      at = next;
    }
    at.whole = true;
  }
  return all;
}

function* unreadIn(fields: Value | undefined, path: Path, read: FieldRead | undefined): Iterable<LintProblem> {
  if (!isMap(fields) || read?.whole === true) return;
  for (const [key, type] of Object.entries(fields)) {
    const here = [...path, key];
    const readOfIt = read?.inside.get(key);
    if (readOfIt === undefined && !isInRule(type)) {
      const hint = phrase`remove it, or read it: instances that set it change nothing`;
      yield { message: phrase`nothing reads schema.${here.join('.')}`, path: ['spec', 'schema', ...here], hint };
    } else yield* unreadIn(type, here, readOfIt);
  }
}

/** A field with a rule that reads more than its existence is used by the rule. */
function isInRule(type: Value): boolean {
  if (typeof type !== 'string') return false;
  return markersOf(type).some(({ name, value }) => {
    const parsed = name === 'validation' ? parse(value) : undefined;
    return parsed?.ok === true && readsSelf(parsed.expression.root);
  });
}

const readsSelf = (expr: Expr): boolean =>
  (expr.kind === 'ident' && expr.name === 'self') || children(expr).some(readsSelf);
