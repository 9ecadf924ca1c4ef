import { FunctionError, TemplateError } from '../fault.ts';
import type { Command, FunctionOperand, Operand, Pipe, Step } from '../syntax/nodes.ts';
import {
  GoInt,
  GoList,
  GoMap,
  GoTime,
  type GoValue,
  isTrue,
  NilInterface,
  plain,
  stored,
  typeName,
} from '../values/values.ts';
import { asArgument, constantArgument, constantValue } from './arguments.ts';
import { methodOf } from './methods.ts';
import { type Execution, failAt, type GoFunction, type MissingKey, type Variables } from './state.ts';

/** The context of an expression. */
export interface Scope {
  execution: Execution;
  variables: Variables;
  dot: GoValue;
}

/** The value of the previous command, `undefined` for the first one: a nil counts as an argument too. */
type Final = GoValue | undefined;

/** The arguments of a call, and where errors about it are. */
interface Given {
  args: readonly Operand[];
  final: Final;
  offset: number;
}

const nothing = (offset: number): Given => ({ args: [], final: undefined, offset });

/** Evaluates a pipeline; its variables stay declared. */
export function evaluatePipe(scope: Scope, pipe: Pipe): GoValue {
  let value: Final;
  for (const command of pipe.commands) value = plain(evaluateCommand(scope, command, value));
  const result = value ?? null;
  for (const name of pipe.variables) {
    scope.execution.meter.spendSteps(scope.variables.mark() / VARIABLES_PER_STEP);
    if (!pipe.assigns) scope.variables.declare(name, result);
    else if (!scope.variables.assign(name, result)) throw failAt(pipe.offset, `undefined variable: ${name}`);
  }
  return result;
}

function evaluateCommand(scope: Scope, command: Command, final: Final): GoValue {
  const { meter } = scope.execution;
  meter.at = command.offset;
  meter.spendSteps(1);
  const { first, args } = command;
  const isCall = /^(?:function|field|chain)$/.test(first.type) || (first.type === 'variable' && first.steps.length > 0);
  if (!isCall && (args.length > 0 || final !== undefined)) {
    throw failAt(first.offset, "can't give argument to non-function");
  }
  const offset = first.type === 'function' ? command.offset : first.offset;
  const value = evaluateOperand(scope, first, { args, final, offset });
  return value === undefined ? constantValue(first) : value;
}

/** Variables are searched linearly. */
const VARIABLES_PER_STEP = 16;

/** Returns the value of an operand, called with arguments if it is a function or a method; `undefined` for a constant. */
function evaluateOperand(scope: Scope, operand: Operand, given: Given): GoValue | undefined {
  switch (operand.type) {
    case 'field':
      return evaluateSteps(scope, scope.dot, operand.steps, given);
    case 'chain': {
      const head = evaluateOperand(scope, operand.of, nothing(operand.of.offset)) ?? null;
      return evaluateSteps(scope, head, operand.steps, given);
    }
    case 'function':
      return callNamed(scope, operand, given);
    case 'variable': {
      scope.execution.meter.spendSteps(scope.variables.mark() / VARIABLES_PER_STEP);
      const value = scope.variables.get(operand.name);
      if (value === undefined) throw failAt(operand.offset, `undefined variable: ${operand.name}`);
      return evaluateSteps(scope, value, operand.steps, given);
    }
    case 'pipe':
      return evaluatePipe(scope, operand);
    case 'dot':
      return scope.dot;
    default:
      return undefined;
  }
}

/** Nested fields that a command includes without cost. */
const FREE_STEPS = 4;

/** `.a.b.c`, the last of which may be a method with arguments. */
function evaluateSteps(scope: Scope, receiver: GoValue, steps: readonly Step[], given: Given): GoValue {
  let value = receiver;
  if (steps.length > FREE_STEPS) scope.execution.meter.spendSteps(steps.length);
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as Step;
    const isLast = index === steps.length - 1;
    const field = fieldOf(value, step, scope.execution.missingKey);
    const isCall = isLast && (given.args.length > 0 || given.final !== undefined);
    if ('method' in field) {
      value = call(scope, step.name, field.method, isLast ? given : nothing(given.offset));
    } else if (isCall) throw failAt(step.offset, `${step.name} is not a method but has arguments`);
    else value = field.value;
  }
  return value;
}

function callNamed(scope: Scope, { name, offset }: FunctionOperand, given: Given): GoValue {
  const { functions, meter } = scope.execution;
  const known = functions(name);
  if (known === undefined) throw failAt(offset, `"${name}" is not a defined function`);
  meter.spendSteps(1);
  if (name === 'and' || name === 'or') return shortCircuit(scope, name, { ...given, offset });
  return call(scope, name, known, given);
}

/** `and` and `or` evaluate only what they need. */
function shortCircuit(scope: Scope, name: 'and' | 'or', { args, final, offset }: Given): GoValue {
  if (args.length === 0 && final === undefined) {
    throw failAt(offset, `wrong number of args for ${name}: want at least 1 got 0`);
  }
  let value: GoValue = null;
  for (const arg of args) {
    value = evaluateArgument(scope, arg, 'value');
    if (isTrue(value) === (name === 'or')) return value;
  }
  return final === undefined ? value : plain(final);
}

/** Calls a function or a method by the name that the template has for it. */
function call(scope: Scope, name: string, callee: GoFunction, { args, final, offset }: Given): GoValue {
  const { meter } = scope.execution;
  const { parameters, variadic } = callee;
  const count = args.length + (final === undefined ? 0 : 1);
  const fixed = variadic ? parameters.length - 1 : parameters.length;
  if (variadic ? count < fixed : count !== fixed) {
    const wanted = `${variadic ? 'at least ' : ''}${fixed}`;
    throw failAt(offset, `wrong number of args for ${name}: want ${wanted} got ${count}`);
  }
  const typeAt = (index: number) => parameters[Math.min(index, parameters.length - 1)] ?? 'any';
  const values = args.map((arg, index) => evaluateArgument(scope, arg, typeAt(index)));
  if (final !== undefined) values.push(asArgument(final, typeAt(count - 1), offset));
  meter.at = offset;
  for (const value of values) if (typeof value === 'string') meter.spendBytes(value.length);
  try {
    return callee.call(values, meter);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    throw new TemplateError('value', `error calling ${name}: ${error.message}`, offset, name, error.reason);
  }
}

function evaluateArgument(scope: Scope, operand: Operand, type: GoFunction['parameters'][number]): GoValue {
  const value = evaluateOperand(scope, operand, nothing(operand.offset));
  return value === undefined ? constantArgument(operand, type) : asArgument(value, type, operand.offset);
}

/** The result for a name of a value: a value, or a method that may be called with arguments. */
type Field = { value: GoValue } | { method: GoFunction };

/** Looks up `.name` of a value. @throws TemplateError missing-key, if `missingKey` is `error` */
function fieldOf(receiver: GoValue, { name, offset }: Step, missingKey: MissingKey): Field {
  if (receiver === null) {
    if (missingKey !== 'error') return { value: null };
    const message = `nil data; no entry for key ${JSON.stringify(name)}`;
    throw new TemplateError('missing-key', message, offset, name, 'no-data');
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
