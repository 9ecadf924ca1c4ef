import { deepEqual } from '../values/deep-equal.ts';
import { kindName, typeName } from '../values/values.ts';
import { type FunctionTable, fixed } from './define.ts';

const isType = fixed(['string', 'any'], ([name, value]) => name === typeName(value));

export const reflectionFunctions: FunctionTable = [
  ['typeOf', fixed(['any'], ([value]) => typeName(value))],
  ['typeIs', isType],
  // There are no pointers with a similar type.
  ['typeIsLike', fixed(['string', 'any'], ([name, value]) => name === typeName(value))],
  ['kindOf', fixed(['any'], ([value]) => kindName(value))],
  ['kindIs', fixed(['string', 'any'], ([name, value]) => name === kindName(value))],
  ['deepEqual', fixed(['any', 'any'], ([a, b], meter) => deepEqual(a, b, meter))],
];
