import type { Expr, Literal } from '../ast.ts';
import type { NodeFactory } from '../parse/factory.ts';
import { CelSyntaxError } from '../parse/syntax-error.ts';

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

export const int = (call: MacroCall, value: bigint): Literal => call.make.literal(call.offset, { type: 'int', value });

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
