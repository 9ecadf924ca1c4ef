/** `has`, `cel.bind`, `optMap` and `optFlatMap`. */
import type { Expr } from '../ast.ts';
import { CelSyntaxError } from '../parse/syntax-error.ts';
import { letIn, type Macro, type MacroCall, variableOf } from './macro.ts';

export const has: Macro = (call) => {
  const [arg] = call.args;
  if (arg?.kind !== 'select') throw new CelSyntaxError('invalid argument to has() macro', arg?.offset ?? call.offset);
  if (!arg.optional) return call.make.select(arg.offset, arg.operand, arg.field, 'test');
  throw new CelSyntaxError('invalid argument to has() macro', arg.offset);
};

export const bind: Macro = (call) => {
  const [variable, init, body] = call.args;
  const { target } = call;
  if (target?.kind !== 'ident' || target.name !== 'cel' || init === undefined || body === undefined) return undefined;
  const name = variableOf(variable, 'cel.bind() variable names must be simple identifiers');
  return letIn(call, name, init, body, true);
};

/** `o.optMap(v, f)`: `o.hasValue() ? optional.of(f) : optional.none()` with `v` bound to `o.value()`. */
function onValue(name: string, wrap: (call: MacroCall, body: Expr) => Expr): Macro {
  return (call) => {
    const { make, offset, target, args } = call;
    const [variable, body] = args;
    if (target === undefined || body === undefined) return undefined;
    const bound = variableOf(variable, `${name}() variable name must be a simple identifier`);
    const input = '@target';
    const mapped = letIn(call, bound, make.call(offset, 'value', [], make.ident(offset, input)), body);
    const chosen = make.call(offset, '_?_:_', [
      make.call(offset, 'hasValue', [], make.ident(offset, input)),
      wrap(call, mapped),
      make.call(offset, 'optional.none', []),
    ]);
    return letIn(call, input, target, chosen);
  };
}

export const optMap = onValue('optMap', (call, body) => call.make.call(call.offset, 'optional.of', [body]));

export const optFlatMap = onValue('optFlatMap', (_call, body) => body);
