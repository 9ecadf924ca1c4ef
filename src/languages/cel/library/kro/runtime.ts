/**
 * kro's `runtime`, with which an RGD writes its own status conditions (pkg/cel/library/runtime.go). The macro that
 * checks and quotes the bare keys of `runtime.newCondition({type: ...})` belongs to the language core.
 */
import { fn, type Library, method } from '../../library.ts';
import { DYN, mapOf, type ObjectType, STRING } from '../../types.ts';
import { failure, fixedFailure } from '../../value/values.ts';

export const RUNTIME_VARIABLE = 'runtime';
const CONDITION_KEYS = ['type', 'status', 'reason', 'message'];
export const CONDITION_STATUSES: readonly string[] = ['True', 'False', 'Unknown'];

/** The type of `runtime`, which only has two methods. */
export const RUNTIME_TYPE: ObjectType = {
  kind: 'object',
  name: 'kro.run.Runtime',
  field: () => undefined,
  fieldNames: () => [],
  open: false,
};

/** What both methods return: four strings. */
export const CONDITION_TYPE: ObjectType = {
  kind: 'object',
  name: 'kro.run.Condition',
  field: (name) => (CONDITION_KEYS.includes(name) ? STRING : undefined),
  fieldNames: () => CONDITION_KEYS,
  open: false,
};

/** Conditions are only type-checked: kro's controller evaluates them, and no expression has the value of `runtime`. */
function unreached(): never {
  throw fixedFailure('the value of runtime is unknown');
}

export const runtime: Library = {
  name: 'kro runtime',
  overloads: [
    method('newCondition', [RUNTIME_TYPE, mapOf(STRING, STRING)], CONDITION_TYPE, unreached),
    method('condition', [RUNTIME_TYPE, DYN, STRING], CONDITION_TYPE, unreached),
  ],
};

/** kro's `omit()`, behind a disabled feature gate: it is declared, so that the compiler can reject it by name. */
export const omit: Library = {
  name: 'kro omit',
  overloads: [
    fn('omit', [], DYN, () => {
      throw failure('omit() requires the CELOmitFunction feature gate to be enabled');
    }),
  ],
};
