import type { GoValue } from '../values/values.ts';
import { isEmpty } from './convert.ts';
import { type FunctionTable, fixed, variadic } from './define.ts';

export const defaultFunctions: FunctionTable = [
  [
    'default',
    variadic(['any', 'any'], ([otherwise, ...given]) => {
      const [value] = given;
      return value === undefined || isEmpty(value) ? otherwise : value;
    }),
  ],
  ['empty', fixed(['any'], ([value]) => isEmpty(value))],
  ['coalesce', variadic(['any'], (values) => values.find((value: GoValue) => !isEmpty(value)) ?? null)],
  ['all', variadic(['any'], (values) => !values.some(isEmpty))],
  ['any', variadic(['any'], (values) => !values.every(isEmpty))],
  ['ternary', fixed(['any', 'any', 'bool'], ([yes, no, condition]) => (condition ? yes : no))],
];
