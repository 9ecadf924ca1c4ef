import type { Expr, Literal, MacroPlan } from '../ast.ts';
import { CelSyntaxError, type Loop, type NodeFactory } from '../parse/factory.ts';

/** A call that may be a macro. */
export interface MacroCall {
  offset: number;
  target: Expr | undefined;
  args: readonly Expr[];
  make: NodeFactory;
}

/** Returns the expansion, or `undefined` if the call is an ordinary one. */
export type Macro = (call: MacroCall) => Expr | undefined;

/** A name that cannot be written in an expression, so it hides nothing. */
export const ACCUMULATOR = '@result';

/** Returns the name that a macro argument declares. */
export function variableOf(arg: Expr | undefined, message: string): string {
  if (arg?.kind !== 'ident' || arg.name.startsWith('.')) throw new CelSyntaxError(message, arg?.offset ?? 0);
  if (arg.name === '__result__') {
    throw new CelSyntaxError('iteration variable overwrites accumulator variable', arg.offset);
  }
  return arg.name;
}

/** Returns the names that the arguments of a macro declare, all of them different. */
export function namesOf(args: readonly (Expr | undefined)[], message: string): string[] {
  const names: string[] = [];
  for (const arg of args) {
    const name = variableOf(arg, message);
    if (names.includes(name)) throw new CelSyntaxError(`duplicate variable name: ${name}`, arg?.offset ?? 0);
    names.push(name);
  }
  return names;
}

export const bool = (call: MacroCall, value: boolean): Literal =>
  call.make.literal(call.offset, { type: 'bool', value });

const int = (call: MacroCall, value: bigint): Literal => call.make.literal(call.offset, { type: 'int', value });

export const result = (call: MacroCall): Expr => call.make.ident(call.offset, ACCUMULATOR);

/** Returns `{ let name = init; in body }`, which cel-go writes as a loop that never runs. */
export function letIn(call: MacroCall, name: string, init: Expr, body: Expr, written = false): Expr {
  const { make, offset } = call;
  return make.comprehension(offset, {
    range: make.list(offset, []),
    variable: '#unused',
    accumulator: name,
    init,
    condition: bool(call, false),
    step: make.ident(offset, name),
    result: body,
    macro: { does: 'bind', written },
  });
}

// `all`, `exists` and `exists_one` with one variable (element or key) or two (index or key, value).

type Quantifier = Pick<Loop, 'init' | 'condition' | 'step' | 'result'>;

function quantifier(
  does: 'all' | 'exists' | 'existsOne',
  parts: (call: MacroCall, predicate: Expr) => Quantifier,
): Macro {
  return (call) => {
    const { target, args, make, offset } = call;
    const predicate = args.at(-1);
    if (target === undefined || predicate === undefined) return undefined;
    const names = namesOf(args.slice(0, -1), 'argument must be a simple name');
    const macro: MacroPlan = { does, predicate };
    return make.comprehension(offset, {
      range: target,
      ...variables(names),
      accumulator: ACCUMULATOR,
      ...parts(call, predicate),
      macro,
    });
  };
}

export function variables(names: readonly string[]): Pick<Loop, 'variable' | 'variable2'> {
  const [variable = '', variable2] = names;
  return variable2 === undefined ? { variable } : { variable, variable2 };
}

export const all = quantifier('all', (call, predicate) => ({
  init: bool(call, true),
  condition: call.make.call(call.offset, '@not_strictly_false', [result(call)]),
  step: call.make.call(call.offset, '_&&_', [result(call), predicate]),
  result: result(call),
}));

export const exists = quantifier('exists', (call, predicate) => ({
  init: bool(call, false),
  condition: call.make.call(call.offset, '@not_strictly_false', [call.make.call(call.offset, '!_', [result(call)])]),
  step: call.make.call(call.offset, '_||_', [result(call), predicate]),
  result: result(call),
}));

/** kro's environment has the newer name only with two variables. */
export const existsOneWithOne: Macro = ({ offset }) => {
  throw new CelSyntaxError('existsOne() takes two variables; with one variable it is called exists_one()', offset);
};

export const existsOne = quantifier('existsOne', (call, predicate) => ({
  init: int(call, 0n),
  condition: bool(call, true),
  step: call.make.call(predicate.offset, '_?_:_', [
    predicate,
    call.make.call(call.offset, '_+_', [result(call), int(call, 1n)]),
    result(call),
  ]),
  result: call.make.call(call.offset, '_==_', [result(call), int(call, 1n)]),
}));
