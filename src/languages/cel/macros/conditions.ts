/** `runtime.newCondition({type: ..., status: ...})` (kro: pkg/cel/library/runtime.go, newConditionMacro). */
import type { MapEntry } from '../ast.ts';
import { CelSyntaxError } from '../parse/syntax-error.ts';
import type { Macro } from './macro.ts';

const KEYS = ['type', 'status', 'reason', 'message'];
const ALLOWED = `the keys are bare names: ${KEYS.join(', ')}`;

/** Converts the bare keys of the condition to strings, so that the call receives a map. */
export const newCondition: Macro = ({ make, offset, target, args }) => {
  if (target?.kind !== 'ident' || target.name !== 'runtime') return undefined;
  const [given] = args;
  if (given?.kind !== 'map') {
    throw new CelSyntaxError('runtime.newCondition: the argument must be a map literal', given?.offset ?? offset);
  }
  const seen = new Set<string>();
  const entries = given.entries.map(({ key, value }): MapEntry => {
    if (key.kind !== 'ident' || !KEYS.includes(key.name)) {
      throw new CelSyntaxError(`runtime.newCondition: ${ALLOWED}`, key.offset);
    }
    if (seen.has(key.name)) throw new CelSyntaxError(`runtime.newCondition: duplicate key '${key.name}'`, key.offset);
    seen.add(key.name);
    return { key: make.literal(key.offset, { type: 'string', value: key.name }), value, optional: false };
  });
  for (const required of ['type', 'status']) {
    if (!seen.has(required)) throw new CelSyntaxError(`runtime.newCondition: '${required}' is required`, given.offset);
  }
  return make.call(offset, 'newCondition', [make.map(given.offset, entries)], target);
};
