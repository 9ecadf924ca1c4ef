import { bind, has, optFlatMap, optMap } from './bindings.ts';
import { newCondition } from './conditions.ts';
import { filter, map, sortBy, transformList } from './lists.ts';
import type { Macro } from './macro.ts';
import { transformMap, transformMapEntry } from './maps.ts';
import { all, exists, existsOne, existsOneWithOne } from './quantifiers.ts';

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
  ['has', 'has(OBJECT.FIELD)'],
  ['all', 'LIST.all(ITEM, CONDITION)'],
  ['exists', 'LIST.exists(ITEM, CONDITION)'],
  ['exists_one', 'LIST.exists_one(ITEM, CONDITION)'],
  ['existsOne', 'LIST.existsOne(INDEX, ITEM, CONDITION)'],
  ['map', 'LIST.map(ITEM, VALUE)'],
  ['filter', 'LIST.filter(ITEM, CONDITION)'],
  ['transformList', 'LIST.transformList(INDEX, ITEM, VALUE)'],
  ['transformMap', 'MAP.transformMap(KEY, VALUE, NEW_VALUE)'],
  ['transformMapEntry', 'MAP.transformMapEntry(KEY, VALUE, {NEW_KEY: NEW_VALUE})'],
  ['sortBy', 'LIST.sortBy(ITEM, KEY)'],
  ['bind', 'cel.bind(NAME, VALUE, EXPRESSION)'],
  ['optMap', 'OPTIONAL.optMap(NAME, VALUE)'],
  ['optFlatMap', 'OPTIONAL.optFlatMap(NAME, OPTIONAL)'],
]);

/** The macro names, for "did you mean" hints. */
export const macroNames: readonly string[] = [...new Set(Object.keys(macros).map((key) => key.split('/')[0] ?? ''))];
