import table from '../../../../data/cel-macros.json';
import type { Comprehension, Expr, MapEntry, Parts } from '../ast.ts';
import { CelSyntaxError } from '../parse/lexer.ts';

/** A call that may be a macro. */
interface MacroCall {
  offset: number;
  /** Creates a node, by default at the offset of the call. */
  make(parts: Parts, offset?: number): Expr;
}

/** Returns the expansion; `undefined` for an ordinary call. The target of a member is the first operand. */
type Macro = (call: MacroCall, ...operands: Expr[]) => Expr | undefined;

function variableOf(arg: Expr, message: string): string {
  if (arg.kind !== 'ident' || arg.name.startsWith('.')) throw new CelSyntaxError(message, arg.offset);
  if (arg.name === '__result__') {
    throw new CelSyntaxError('iteration variable overwrites accumulator variable', arg.offset);
  }
  return arg.name;
}

const callOf = (call: MacroCall, name: string, args: readonly Expr[], target?: Expr): Expr =>
  call.make({ kind: 'call', name, target, args });

const identOf = (call: MacroCall, name: string): Expr => call.make({ kind: 'ident', name });

/** Returns `{ let name = init; in body }`. */
const letIn = (call: MacroCall, name: string, init: Expr, body: Expr, written = false): Expr =>
  call.make({ kind: 'bind', name, init, body, written });

const has: Macro = (call, arg: Expr) => {
  if (arg.kind !== 'select' || arg.optional) throw new CelSyntaxError('invalid argument to has() macro', arg.offset);
  const { operand, field } = arg;
  return call.make({ kind: 'select', operand, field, optional: false, test: true }, arg.offset);
};

const bind: Macro = (call, target: Expr, variable: Expr, init: Expr, body: Expr) => {
  if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
  const name = variableOf(variable, 'cel.bind() variable names must be simple identifiers');
  return letIn(call, name, init, body, true);
};

/** `o.optMap(v, f)`: `o.hasValue() ? optional.of(f) : optional.none()` with `v` bound to `o.value()`. */
function onValue(name: string, wrap: (call: MacroCall, body: Expr) => Expr): Macro {
  return (call, target: Expr, variable: Expr, body: Expr) => {
    const bound = variableOf(variable, `${name}() variable name must be a simple identifier`);
    const input = '@target';
    const of = (method: string): Expr => callOf(call, method, [], identOf(call, input));
    const mapped = wrap(call, letIn(call, bound, of('value'), body));
    const chosen = callOf(call, '_?_:_', [of('hasValue'), mapped, callOf(call, 'optional.none', [])]);
    return letIn(call, input, target, chosen);
  };
}

// `runtime.newCondition({type: ..., status: ...})` (kro: pkg/cel/library/runtime.go, newConditionMacro).

const KEYS = ['type', 'status', 'reason', 'message'];
const ALLOWED = `the keys are bare names: ${KEYS.join(', ')}`;

/** Converts the bare keys of the condition to strings, so that the call receives a map. */
const newCondition: Macro = (call, target: Expr, given: Expr) => {
  if (target.kind !== 'ident' || target.name !== 'runtime') return undefined;
  const fail = (why: string, { offset }: Expr) => new CelSyntaxError(`runtime.newCondition: ${why}`, offset);
  if (given.kind !== 'map') throw fail('the argument must be a map literal', given);
  const seen = new Set<string>();
  const entries = given.entries.map(({ key, value }): MapEntry => {
    if (key.kind !== 'ident' || !KEYS.includes(key.name)) throw fail(ALLOWED, key);
    if (seen.has(key.name)) throw fail(`duplicate key '${key.name}'`, key);
    seen.add(key.name);
    const name = call.make({ kind: 'literal', literal: { type: 'string', value: key.name } }, key.offset);
    return { key: name, value, optional: false };
  });
  for (const required of ['type', 'status']) if (!seen.has(required)) throw fail(`'${required}' is required`, given);
  return callOf(call, 'newCondition', [call.make({ kind: 'map', entries }, given.offset)], target);
};

// Macros that are loops: with one variable (element or key) or two (index or key, value).

const NOT_A_NAME = 'argument is not an identifier';

/** A loop with a number of variables, an optional filter, and a body. */
const loop =
  (does: Comprehension['does'], variables: 1 | 2, message = 'argument must be a simple name') =>
  (call: MacroCall, range: Expr, ...args: Expr[]): Expr => {
    const names: string[] = [];
    for (const arg of args.slice(0, variables)) {
      const name = variableOf(arg, message);
      if (names.includes(name)) throw new CelSyntaxError(`duplicate variable name: ${name}`, arg.offset);
      names.push(name);
    }
    const [variable = '', variable2] = names;
    const [first, second] = args.slice(variables) as [Expr, Expr?];
    const parts = { range, variable, variable2, filter: second && first, body: second ?? first };
    return call.make({ kind: 'comprehension', does, ...parts });
  };

const map = loop('list', 1, NOT_A_NAME);

/** Evaluates the list once, with its sort keys, and sorts by them. */
const sortBy: Macro = (call, target: Expr, variable: Expr, key: Expr) => {
  const input = '@__sortBy_input__';
  const keys = map(call, identOf(call, input), variable, key);
  return letIn(call, input, target, callOf(call, '@sortByAssociatedKeys', [keys], identOf(call, input)));
};

/** kro's environment has the newer name only with two variables. */
const existsOneWithOne: Macro = ({ offset }) => {
  throw new CelSyntaxError('existsOne() takes two variables; with one variable it is called exists_one()', offset);
};

/** By name, number of arguments and whether the call has a target (`member`). */
const macros: Readonly<Record<string, Macro>> = {
  'has/1': has,
  'all/2/member': loop('all', 1),
  'all/3/member': loop('all', 2),
  'exists/2/member': loop('exists', 1),
  'exists/3/member': loop('exists', 2),
  'exists_one/2/member': loop('existsOne', 1),
  'exists_one/3/member': loop('existsOne', 2),
  'existsOne/2/member': existsOneWithOne,
  'existsOne/3/member': loop('existsOne', 2),
  'map/2/member': map,
  'map/3/member': map,
  'filter/2/member': (call, range, variable, condition) => map(call, range, variable, condition, variable),
  'transformList/3/member': loop('list', 2),
  'transformList/4/member': loop('list', 2),
  'transformMap/3/member': loop('map', 2),
  'transformMap/4/member': loop('map', 2),
  'transformMapEntry/3/member': loop('mapEntry', 2),
  'transformMapEntry/4/member': loop('mapEntry', 2),
  'sortBy/2/member': sortBy,
  'bind/3/member': bind,
  'optMap/2/member': onValue('optMap', (call, body) => callOf(call, 'optional.of', [body])),
  'optFlatMap/2/member': onValue('optFlatMap', (_call, body) => body),
  'newCondition/1/member': newCondition,
};

/** Returns the expansion of a call, `undefined` if it is no macro. @throws CelSyntaxError for invalid arguments */
export function expandMacro(name: string, call: MacroCall, args: readonly Expr[], target?: Expr): Expr | undefined {
  const key = `${name}/${args.length}${target === undefined ? '' : '/member'}`;
  if (!Object.hasOwn(macros, key)) return undefined;
  // allowed: as many as the macro has arguments
  return macros[key]?.(call, ...(target === undefined ? [] : [target]), ...args);
}

export const MACRO_FORMS: ReadonlyMap<string, string> = new Map([
  ...table.map(({ name, form }) => [name, form] as const),
  ['existsOne', 'LIST.existsOne(INDEX, ITEM, CONDITION)'],
]);

/** The macro names, for "did you mean" hints. */
export const macroNames: readonly string[] = [...new Set(Object.keys(macros).map((key) => key.split('/')[0] ?? ''))];
