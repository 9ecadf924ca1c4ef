/** `all`, `exists` and `exists_one` with one variable (element or key) or two (index or key, value). */
import type { Expr, MacroPlan } from '../ast.ts';
import type { Loop } from '../parse/factory.ts';
import { CelSyntaxError } from '../parse/syntax-error.ts';
import { ACCUMULATOR, bool, int, type Macro, type MacroCall, namesOf, result } from './macro.ts';

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
