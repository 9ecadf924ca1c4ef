import { phrase, shown } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { get, isMap, type Value } from '../../core/model/value.ts';
import type { Expr } from '../../languages/cel/index.ts';
import { type FieldPath, ITEM, keyOf, optionalOn, unguardedReads } from '../unguarded/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/**
 * Reports an optional field without a default that an expression reads without a guard: kro waits forever for the node
 * of an instance without it. Each field is reported once, at its first read, unless the package has instances and all
 * of them set it.
 */
export function* optionalReadUnguarded({ graph, instances }: Subject): Iterable<LintProblem> {
  const reported = new Set<string>();
  for (const { path, node, expression, expr } of unguardedReads(graph)) {
    const optional = optionalOn(graph, path);
    const field = optional.at(-1);
    if (field === undefined || reported.has(keyOf(field))) continue;
    reported.add(keyOf(field));
    if (instances.length > 0 && instances.every((one) => isSetIn(one, field))) continue;
    const name = textOf(field, []);
    yield {
      message: phrase`${shown(name)} is optional and has no default: without it kro waits forever, and render fails`,
      hint: phrase`read ${shown(textOf(field, optional))}.orValue(...), test it with has(), or add a default (or required=true)`,
      path: expression.path,
      offset: expression.offset + startOf(expr),
      node,
    };
  }
}

/** Returns the start of a chain of names that ends in a read. */
function startOf(expr: Expr): number {
  if (expr.kind === 'select') return startOf(expr.operand);
  const [operand] = expr.kind === 'call' ? expr.args : [];
  return operand === undefined ? expr.offset : startOf(operand);
}

/** `schema.spec.a.b`, with `?` before the fields that may be absent. */
function textOf(field: FieldPath, optional: readonly FieldPath[]): string {
  const marked = new Set(optional.map(keyOf));
  const steps = field.map((name, index) => {
    if (name === ITEM) return '[]';
    return `.${marked.has(keyOf(field.slice(0, index + 1))) ? '?' : ''}${name}`;
  });
  return `schema.spec${steps.join('')}`;
}

const isSetIn = (instance: KubeObject, field: FieldPath): boolean => hasField(get(instance, 'spec'), field);

/** Reports whether a value has a field; every item of a list above it must have it. */
function hasField(value: Value | undefined, [name, ...rest]: FieldPath): boolean {
  if (value === undefined || value === null) return false;
  if (name === undefined) return true;
  if (name !== ITEM) return hasField(get(value, name), rest);
  const items = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
  return items.every((item) => hasField(item, rest));
}
