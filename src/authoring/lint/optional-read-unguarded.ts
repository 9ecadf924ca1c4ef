import { type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { get, getAt, isMap, type Value } from '../../core/model/value.ts';
import { withDefault } from '../../kro/simpleschema/index.ts';
import { type FieldPath, ITEM, keyOf, optionalOn, unguardedReads } from '../unguarded/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/**
 * Reports an optional field without a default that an expression reads without a guard: kro waits forever for the node
 * of an instance without it. Each field is reported once, at its first read, unless the package has instances and all
 * of them set it.
 */
export function* optionalReadUnguarded({ graph, definition, instances }: Subject): Iterable<LintProblem> {
  const reported = new Set<string>();
  for (const { path, node, expression, offset } of unguardedReads(graph)) {
    const optional = optionalOn(graph, path);
    const field = optional.at(-1);
    if (field === undefined || reported.has(keyOf(field))) continue;
    reported.add(keyOf(field));
    if (instances.length > 0 && instances.every((one) => isSetIn(one, field))) continue;
    const name = textOf(field, []);
    yield {
      message: phrase`${shown(name)} is optional and has no default: without it kro waits forever, and render fails`,
      hint: phrase`read ${shown(textOf(field, optional))}.orValue(...), test it with has(), or add a default${defaultFor(definition.schema.spec, field)} (or required=true)`,
      path: expression.path,
      offset: expression.offset + offset,
      node,
    };
  }
}

/** Returns the declaration of a field with a default. */
function defaultFor(spec: Value | undefined, field: FieldPath): Message {
  const declared = getAt(spec, field);
  const example = typeof declared === 'string' ? withDefault(declared) : undefined;
  return example === undefined ? phrase`` : phrase`, ${field.at(-1) ?? ''}: ${example}`;
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
