import { type CelType, kroEnvironment, type Overload } from '../../../languages/cel/index.ts';
import { typeText } from './types.ts';

/** A function that can be called at a position. */
export interface CallableFunction {
  name: string;
  overloads: readonly Overload[];
}

/** A macro, with a snippet of the text after its name. */
export interface MacroHelp {
  name: string;
  /** Its receiver; '' for none. */
  on: '' | 'list' | 'optional' | 'cel';
  signature: string;
  snippet: string;
  about: string;
}

const PREDICATE = '${1:item}, ${2:condition}';

export const MACROS: readonly MacroHelp[] = [
  {
    name: 'has',
    on: '',
    signature: 'has(object.field) -> bool',
    snippet: 'has(${1:object.field})',
    about: 'Reports whether a field is there.',
  },
  {
    name: 'map',
    on: 'list',
    signature: 'list.map(item, value) -> list',
    snippet: 'map(${1:item}, ${2:value})',
    about: 'Makes a list of a value for each item.',
  },
  {
    name: 'filter',
    on: 'list',
    signature: 'list.filter(item, condition) -> list',
    snippet: `filter(${PREDICATE})`,
    about: 'Keeps the items for which the condition holds.',
  },
  {
    name: 'all',
    on: 'list',
    signature: 'list.all(item, condition) -> bool',
    snippet: `all(${PREDICATE})`,
    about: 'Reports whether the condition holds for every item.',
  },
  {
    name: 'exists',
    on: 'list',
    signature: 'list.exists(item, condition) -> bool',
    snippet: `exists(${PREDICATE})`,
    about: 'Reports whether the condition holds for some item.',
  },
  {
    name: 'exists_one',
    on: 'list',
    signature: 'list.exists_one(item, condition) -> bool',
    snippet: `exists_one(${PREDICATE})`,
    about: 'Reports whether the condition holds for exactly one item.',
  },
  {
    name: 'transformList',
    on: 'list',
    signature: 'list.transformList(index, item, value) -> list',
    snippet: 'transformList(${1:index}, ${2:item}, ${3:value})',
    about: 'Makes a list of a value for each index and item, or key and value.',
  },
  {
    name: 'transformMap',
    on: 'list',
    signature: 'map.transformMap(key, item, value) -> map',
    snippet: 'transformMap(${1:key}, ${2:item}, ${3:value})',
    about: 'Makes a map with the same keys and other values.',
  },
  {
    name: 'transformMapEntry',
    on: 'list',
    signature: 'list.transformMapEntry(index, item, {key: value}) -> map',
    snippet: 'transformMapEntry(${1:index}, ${2:item}, {${3:item}: ${4:value}})',
    about: 'Makes a map of an entry for each item.',
  },
  {
    name: 'sortBy',
    on: 'list',
    signature: 'list.sortBy(item, key) -> list',
    snippet: 'sortBy(${1:item}, ${2:item})',
    about: 'Sorts a list by a key of its items.',
  },
  {
    name: 'optMap',
    on: 'optional',
    signature: 'optional.optMap(value, result) -> optional',
    snippet: 'optMap(${1:value}, ${2:value})',
    about: 'Makes another value of the one that may be there.',
  },
  {
    name: 'optFlatMap',
    on: 'optional',
    signature: 'optional.optFlatMap(value, optional) -> optional',
    snippet: 'optFlatMap(${1:value}, ${2:value})',
    about: 'Makes another optional of the value that may be there.',
  },
  {
    name: 'bind',
    on: 'cel',
    signature: 'cel.bind(name, value, expression)',
    snippet: 'bind(${1:name}, ${2:value}, ${3:name})',
    about: 'Gives a value a name.',
  },
];

const isWritable = (name: string): boolean => /^[A-Za-z][\w.]*$/.test(name);
const isOffered = ({ unchecked }: Overload): boolean => unchecked !== true;

/** Returns the functions that can be called on a value of a type, as `value.name(...)`. */
export function methodsOf(type: CelType): CallableFunction[] {
  return grouped((overload) => overload.member && accepts(overload.params[0], type));
}

/** Returns the functions without a receiver. Those of a namespace, such as `lists.range`, keep its name. */
export const globalFunctions = (): CallableFunction[] => grouped((overload) => !overload.member);

/** Returns all overloads of a function. */
export const functionNamed = (name: string): readonly Overload[] => kroEnvironment().functions(name).filter(isOffered);

function grouped(isWanted: (overload: Overload) => boolean): CallableFunction[] {
  return [...kroEnvironment().functionNames()].filter(isWritable).flatMap((name) => {
    const overloads = functionNamed(name).filter(isWanted);
    return overloads.length === 0 ? [] : [{ name, overloads }];
  });
}

/** Reports whether a value of a type matches a parameter, without type parameters. */
export function accepts(param: CelType | undefined, type: CelType): boolean {
  if (param === undefined) return false;
  if (param.kind === 'param' || param.kind === 'dyn' || type.kind === 'dyn') return true;
  if (param.kind !== type.kind) return false;
  if (param.kind === 'list' && type.kind === 'list') return accepts(param.element, type.element);
  if (param.kind === 'object' && type.kind === 'object') return param.name === type.name;
  return param.kind === 'opaque' && type.kind === 'opaque' ? param.name === type.name : true;
}

/** `string.split(string, int) -> list(string)`. */
export function signatureOf({ name, member, params, result }: Overload): string {
  const [first, ...rest] = params.map(typeText);
  const call = member ? `${first}.${name}(${rest.join(', ')})` : `${name}(${params.map(typeText).join(', ')})`;
  return `${call} -> ${typeText(result)}`;
}
