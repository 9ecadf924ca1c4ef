/** `map`, `filter`, `transformList` and `sortBy`: loops that build a list. */
import type { Expr } from '../ast.ts';
import { ACCUMULATOR, bool, letIn, type Macro, type MacroCall, namesOf, result, variableOf } from './macro.ts';
import { variables } from './quantifiers.ts';

const NOT_A_NAME = 'argument is not an identifier';

function listLoop(
  call: MacroCall,
  range: Expr,
  names: readonly string[],
  filter: Expr | undefined,
  transform: Expr,
): Expr {
  const { make, offset } = call;
  const item = make.list(transform.offset, [{ value: transform, optional: false }]);
  const add = make.call(offset, '_+_', [result(call), item]);
  return make.comprehension(offset, {
    range,
    ...variables(names),
    accumulator: ACCUMULATOR,
    init: make.list(offset, []),
    condition: bool(call, true),
    step: filter === undefined ? add : make.call(filter.offset, '_?_:_', [filter, add, result(call)]),
    result: result(call),
    macro: { does: 'list', filter, transform },
  });
}

export const map: Macro = (call) => {
  const [variable, ...rest] = call.args;
  const transform = rest.at(-1);
  if (call.target === undefined || transform === undefined) return undefined;
  const filter = rest.length === 2 ? rest[0] : undefined;
  return listLoop(call, call.target, [variableOf(variable, NOT_A_NAME)], filter, transform);
};

export const filter: Macro = (call) => {
  const [variable, predicate] = call.args;
  if (call.target === undefined || variable === undefined) return undefined;
  return listLoop(call, call.target, [variableOf(variable, NOT_A_NAME)], predicate, variable);
};

export const transformList: Macro = (call) => {
  const [first, second, ...rest] = call.args;
  const transform = rest.at(-1);
  if (call.target === undefined || transform === undefined) return undefined;
  const names = namesOf([first, second], 'argument must be a simple name');
  return listLoop(call, call.target, names, rest.length === 2 ? rest[0] : undefined, transform);
};

/** Evaluates the list once, with its sort keys, and sorts by them. */
export const sortBy: Macro = (call) => {
  const { make, offset, target, args } = call;
  const [variable, key] = args;
  if (target === undefined || key === undefined) return undefined;
  const input = '@__sortBy_input__';
  const name = variableOf(variable, NOT_A_NAME);
  const keys = listLoop(call, make.ident(offset, input), [name], undefined, key);
  const sorted = make.call(offset, '@sortByAssociatedKeys', [keys], make.ident(offset, input));
  return letIn(call, input, target, sorted);
};
