import { TemplateError, type TemplateErrorReason } from '../fault.ts';
import type { Operand } from '../syntax/nodes.ts';
import { isFloatConstant, type NumberConstant } from '../syntax/number.ts';
import { GoInt, GoMap, GoTime, type GoValue, int, NIL_MAP, NilInterface, typeName } from '../values/values.ts';
import { failAt, type ParameterType, parameterName } from './state.ts';

/** Whether a value matches a parameter without conversion. */
const FITS: Readonly<Record<ParameterType, (value: GoValue) => boolean>> = {
  value: () => true,
  any: () => true,
  string: (value) => typeof value === 'string',
  int: (value) => value instanceof GoInt && value.kind === 'int',
  int64: (value) => typeof value === 'bigint',
  float64: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  map: (value) => value instanceof GoMap && value.element === 'interface {}',
  time: (value) => value instanceof GoTime,
};

/** Returns a value as an argument of a type: Go converts nothing, not even an int64 to an int. */
export function asArgument(value: GoValue, type: ParameterType, offset: number): GoValue {
  if (value === null) {
    if (type === 'value' || type === 'any') return null;
    if (type === 'map') return NIL_MAP;
    throw failAt(offset, `invalid value; expected ${parameterName(type)}`);
  }
  if (value instanceof NilInterface && (type === 'value' || type === 'any')) return null;
  if (FITS[type](value)) return value;
  const message = `wrong type for value; expected ${parameterName(type)}; got ${typeName(value)}`;
  throw new TemplateError('execution', message, offset, undefined, mismatch(type, value));
}

/** Returns the error of common cases: an input that is a number, and texts. */
function mismatch(type: ParameterType, value: GoValue): TemplateErrorReason | undefined {
  const isScalar = typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
  if (type === 'int' && typeof value === 'bigint') return 'int64-for-int';
  if (type === 'string' && isScalar) return 'scalar-for-string';
  return type === 'bool' && typeof value === 'string' ? 'string-for-bool' : undefined;
}

/** Returns a constant as an argument of a type; unlike a value, 1 is an int and a float64. */
export function constantArgument(operand: Operand, type: ParameterType): GoValue {
  const { offset } = operand;
  if (operand.type === 'nil') {
    if (type === 'map') return NIL_MAP;
    if (type === 'value' || type === 'any') return null;
    throw failAt(offset, `cannot assign nil to ${parameterName(type)}`);
  }
  if (type === 'value' || type === 'any') return constantValue(operand);
  if (type === 'time' || type === 'map')
    throw failAt(offset, `can't handle this for arg of type ${parameterName(type)}`);
  const expected = EXPECTED[type];
  if (operand.type === 'bool' || operand.type === 'string') {
    if (operand.type === type) return operand.value;
  } else if (operand.type === 'number' && expected === 'float') {
    if (operand.value.float !== undefined) return operand.value.float;
  } else if (operand.type === 'number' && expected === 'integer' && operand.value.int !== undefined) {
    return type === 'int' ? new GoInt(operand.value.int) : operand.value.int;
  }
  throw failAt(offset, `expected ${expected}`);
}

/** What Go calls the constants of a type. */
const EXPECTED = { bool: 'bool', string: 'string', int: 'integer', int64: 'integer', float64: 'float' } as const;

/** Returns the value of a constant without an expected type. */
export function constantValue(operand: Operand): GoValue {
  if (operand.type === 'bool' || operand.type === 'string') return operand.value;
  if (operand.type === 'number') return numberValue(operand.value, operand.offset);
  throw failAt(operand.offset, 'nil is not a command');
}

function numberValue(constant: NumberConstant, offset: number): GoValue {
  if (isFloatConstant(constant)) return constant.float ?? 0;
  if (constant.int !== undefined) return int(constant.int);
  throw failAt(offset, `${constant.text} overflows int`);
}
