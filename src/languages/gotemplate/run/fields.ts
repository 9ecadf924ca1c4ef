import { TemplateError } from '../fault.ts';
import type { Step } from '../syntax/nodes.ts';
import { GoInt, GoList, GoMap, GoTime, type GoValue, NilInterface, stored, typeName } from '../values/values.ts';
import type { GoFunction } from './function.ts';
import { methodOf } from './methods.ts';
import { failAt, type MissingKey } from './state.ts';

/** The result for a name of a value: a value, or a method that may be called with arguments. */
export type Field = { value: GoValue } | { method: GoFunction };

/**
 * Looks up `.name` of a value.
 * @throws TemplateError missing-key when a map has no such key and `missingKey` is `error`
 */
export function fieldOf(receiver: GoValue, { name, offset }: Step, missingKey: MissingKey): Field {
  if (receiver === null) {
    if (missingKey !== 'error') return { value: null };
    throw new TemplateError(
      'missing-key',
      `nil data; no entry for key ${JSON.stringify(name)}`,
      offset,
      name,
      'no-data',
    );
  }
  if (receiver instanceof NilInterface) throw failAt(offset, `nil pointer evaluating interface {}.${name}`);
  if (receiver instanceof GoTime || receiver instanceof GoInt) {
    const method = methodOf(receiver, name);
    if (method !== undefined) return { method };
  }
  if (!(receiver instanceof GoMap)) {
    const message = `can't evaluate field ${name} in type ${typeName(receiver)}`;
    const reason = receiver instanceof GoList ? 'field-of-list' : 'field-of-scalar';
    throw new TemplateError('execution', message, offset, name, reason);
  }
  const value = receiver.entries.get(name);
  if (value === undefined) {
    if (missingKey === 'default') return { value: null };
    if (missingKey === 'zero') return { value: receiver.element === 'string' ? '' : stored(null) };
    throw new TemplateError('missing-key', `map has no entry for key ${JSON.stringify(name)}`, offset, name);
  }
  return { value: receiver.element === 'string' ? value : stored(value) };
}
