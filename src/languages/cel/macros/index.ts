import table from '../../../../data/cel-macros.json';
import type { Expr, MapEntry } from '../ast.ts';
import { CelSyntaxError } from '../parse/factory.ts';
import {
  ACCUMULATOR,
  all,
  bool,
  exists,
  existsOne,
  existsOneWithOne,
  letIn,
  type Macro,
  type MacroCall,
  namesOf,
  result,
  variableOf,
  variables,
} from './macro.ts';

// `has`, `cel.bind`, `optMap` and `optFlatMap`.

const has: Macro = (call) => {
  const [arg] = call.args;
  if (arg?.kind !== 'select') throw new CelSyntaxError('invalid argument to has() macro', arg?.offset ?? call.offset);
  if (!arg.optional) return call.make.select(arg.offset, arg.operand, arg.field, 'test');
  throw new CelSyntaxError('invalid argument to has() macro', arg.offset);
};

const bind: Macro = (call) => {
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

const optMap = onValue('optMap', (call, body) => call.make.call(call.offset, 'optional.of', [body]));

const optFlatMap = onValue('optFlatMap', (_call, body) => body);

// `runtime.newCondition({type: ..., status: ...})` (kro: pkg/cel/library/runtime.go, newConditionMacro).

const KEYS = ['type', 'status', 'reason', 'message'];
const ALLOWED = `the keys are bare names: ${KEYS.join(', ')}`;

/** Converts the bare keys of the condition to strings, so that the call receives a map. */
const newCondition: Macro = ({ make, offset, target, args }) => {
  if (target?.kind !== 'ident' || target.name !== 'runtime') return undefined;
  const [given] = args;
  if (given?.kind !== 'map') {
    throw new CelSyntaxError('runtime.newCondition: the argument must be a map literal', given?.offset ?? offset);
  }
  const seen = new Set<string>();
  const entries = given.entries.map(({ key, value }): MapEntry => {
    if (key.kind !== 'ident' || !KEYS.includes(key.name)) {
      throw new CelSyntaxError(`runtime.newCondition: ${ALLOWED}`, key.offset);
    }
    if (seen.has(key.name)) throw new CelSyntaxError(`runtime.newCondition: duplicate key '${key.name}'`, key.offset);
    seen.add(key.name);
    return { key: make.literal(key.offset, { type: 'string', value: key.name }), value, optional: false };
  });
  for (const required of ['type', 'status']) {
    if (!seen.has(required)) throw new CelSyntaxError(`runtime.newCondition: '${required}' is required`, given.offset);
  }
  return make.call(offset, 'newCondition', [make.map(given.offset, entries)], target);
};

// `map`, `filter`, `transformList` and `sortBy`: loops that build a list.

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

const map: Macro = (call) => {
  const [variable, ...rest] = call.args;
  const transform = rest.at(-1);
  if (call.target === undefined || transform === undefined) return undefined;
  const filter = rest.length === 2 ? rest[0] : undefined;
  return listLoop(call, call.target, [variableOf(variable, NOT_A_NAME)], filter, transform);
};

const filter: Macro = (call) => {
  const [variable, predicate] = call.args;
  if (call.target === undefined || variable === undefined) return undefined;
  return listLoop(call, call.target, [variableOf(variable, NOT_A_NAME)], predicate, variable);
};

const transformList: Macro = (call) => {
  const [first, second, ...rest] = call.args;
  const transform = rest.at(-1);
  if (call.target === undefined || transform === undefined) return undefined;
  const names = namesOf([first, second], 'argument must be a simple name');
  return listLoop(call, call.target, names, rest.length === 2 ? rest[0] : undefined, transform);
};

/** Evaluates the list once, with its sort keys, and sorts by them. */
const sortBy: Macro = (call) => {
  const { make, offset, target, args } = call;
  const [variable, key] = args;
  if (target === undefined || key === undefined) return undefined;
  const input = '@__sortBy_input__';
  const name = variableOf(variable, NOT_A_NAME);
  const keys = listLoop(call, make.ident(offset, input), [name], undefined, key);
  const sorted = make.call(offset, '@sortByAssociatedKeys', [keys], make.ident(offset, input));
  return letIn(call, input, target, sorted);
};

// `transformMap` and `transformMapEntry`: loops that build a map.

const MAP_INSERT = 'cel.@mapInsert';

function mapLoop(does: 'map' | 'mapEntry', added: (call: MacroCall, key: string, transform: Expr) => Expr[]): Macro {
  return (call) => {
    const { make, offset, target, args } = call;
    const [first, second, ...rest] = args;
    const transform = rest.at(-1);
    if (target === undefined || transform === undefined) return undefined;
    const filter = rest.length === 2 ? rest[0] : undefined;
    const [key = '', value = ''] = namesOf([first, second], 'argument must be a simple name');
    const insert = make.call(transform.offset, MAP_INSERT, [result(call), ...added(call, key, transform)]);
    return make.comprehension(offset, {
      range: target,
      ...variables([key, value]),
      accumulator: ACCUMULATOR,
      init: make.map(offset, []),
      condition: bool(call, true),
      step: filter === undefined ? insert : make.call(filter.offset, '_?_:_', [filter, insert, result(call)]),
      result: result(call),
      macro: { does, filter, transform },
    });
  };
}

const transformMap = mapLoop('map', (call, key, transform) => [call.make.ident(call.offset, key), transform]);

const transformMapEntry = mapLoop('mapEntry', (_call, _key, transform) => [transform]);

/** By name, number of arguments and whether the call has a target (`member`). */
const macros: Readonly<Record<string, Macro>> = {
  'has/1': has,
  'all/2/member': all,
  'all/3/member': all,
  'exists/2/member': exists,
  'exists/3/member': exists,
  'exists_one/2/member': existsOne,
  'exists_one/3/member': existsOne,
  'existsOne/2/member': existsOneWithOne,
  'existsOne/3/member': existsOne,
  'map/2/member': map,
  'map/3/member': map,
  'filter/2/member': filter,
  'transformList/3/member': transformList,
  'transformList/4/member': transformList,
  'transformMap/3/member': transformMap,
  'transformMap/4/member': transformMap,
  'transformMapEntry/3/member': transformMapEntry,
  'transformMapEntry/4/member': transformMapEntry,
  'sortBy/2/member': sortBy,
  'bind/3/member': bind,
  'optMap/2/member': optMap,
  'optFlatMap/2/member': optFlatMap,
  'newCondition/1/member': newCondition,
};

export function findMacro(name: string, argumentCount: number, member: boolean): Macro | undefined {
  const key = `${name}/${argumentCount}${member ? '/member' : ''}`;
  return Object.hasOwn(macros, key) ? macros[key] : undefined;
}

/** How a macro is called, by its name, for hints. */
export const MACRO_FORMS: ReadonlyMap<string, string> = new Map([
  ...table.map(({ name, form }) => [name, form] as const),
  ['existsOne', 'LIST.existsOne(INDEX, ITEM, CONDITION)'],
]);

/** The macro names, for "did you mean" hints. */
export const macroNames: readonly string[] = [...new Set(Object.keys(macros).map((key) => key.split('/')[0] ?? ''))];
