import { phrase } from '../../core/diagnostics/index.ts';
import { type Comprehension, children, type Expr, mentions, writtenParts } from '../../languages/cel/index.ts';
import { at, type LintProblem, type Subject } from './subject.ts';

/** Reports an unused variable of a macro, such as `x` in `list.exists(x, schema.spec.on)`. `_name` marks intention. */
export function* unusedVariable({ expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    for (const loop of loopsIn(linted.expression.parsed.root)) {
      const names = [loop.variable, ...(loop.variable2 === undefined ? [] : [loop.variable2])];
      const declared = loop.macro.does === 'bind' ? [loop.accumulator] : names;
      // Names that cannot be written belong to macros.
      if (declared.some((name) => /^[@#_]/.test(name)) || declared.some((name) => isRead(loop, name))) continue;
      const shown = declared.map((name) => `'${name}'`).join(' and ');
      const message = phrase`${shown} is declared and never read`;
      yield at(linted, loop, message, phrase`read it, or name it _${declared[0] ?? ''} if this is intended`);
    }
  }
}

function* loopsIn(expr: Expr): Iterable<Comprehension> {
  if (expr.kind === 'comprehension') yield expr;
  for (const child of children(expr)) yield* loopsIn(child);
}

/** An inner macro with the same variable hides it, which counts as a read: that is another error. */
const isRead = (loop: Comprehension, name: string): boolean =>
  writtenParts(loop)
    .slice(1)
    .some((part) => mentions(part, name));
