import { children, type Expr, parse } from '../cel/index.ts';
import { isMap, type Path, type Value } from '../model/value.ts';
import { markersOf } from '../rgd/simpleschema/index.ts';
import type { Finding, Subject } from './subject.ts';

/** A field of the schema that no expression reads, nor any validation rule of a field above it. */
export function* unreadField({ definition, expressions }: Subject): Iterable<Finding> {
  const read = expressions.flatMap(({ expression }) =>
    expression.paths.filter(({ root }) => root === 'schema').map(({ path }) => path),
  );
  const { spec } = definition.schema;
  if (isMap(spec)) yield* unreadIn(spec, ['spec'], read);
}

function* unreadIn(fields: Value, path: Path, read: readonly Path[]): Iterable<Finding> {
  if (!isMap(fields)) return;
  for (const [key, type] of Object.entries(fields)) {
    const here = [...path, key];
    if (!read.some((one) => areOnOneWay(one, here)) && !isInRule(type)) {
      const hint = 'remove it, or read it: instances that set it change nothing';
      yield { message: `nothing reads schema.${here.join('.')}`, path: ['spec', 'schema', ...here], hint };
    } else if (!read.some((one) => leadsTo(one, here))) yield* unreadIn(type, here, read);
  }
}

/** Whether the whole of `path` is read, or something that holds it. */
const leadsTo = (read: Path, path: Path): boolean =>
  read.length <= path.length && read.every((step, index) => step === path[index]);

const areOnOneWay = (a: Path, b: Path): boolean => leadsTo(a, b) || leadsTo(b, a);

/** A field with a rule that reads anything but its own being there was meant for the rule. */
function isInRule(type: Value): boolean {
  if (typeof type !== 'string') return false;
  return markersOf(type).some(({ name, value }) => {
    const parsed = name === 'validation' ? parse(value) : undefined;
    return parsed?.ok === true && readsSelf(parsed.expression.root);
  });
}

const readsSelf = (expr: Expr): boolean =>
  (expr.kind === 'ident' && expr.name === 'self') || children(expr).some(readsSelf);
