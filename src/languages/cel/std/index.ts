import type { Library } from '../library.ts';
import { access } from './access.ts';
import { arithmetic } from './arithmetic.ts';
import { conversions } from './conversions.ts';
import { relations } from './relations.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';

/** CEL's standard functions and operators (https://github.com/google/cel-spec/blob/master/doc/langdef.md#functions). */
export const standardLibrary: Library = {
  name: 'CEL standard',
  overloads: [access, arithmetic, conversions, relations, strings, times].flatMap((library) => library.overloads),
};
