import { groupBy } from '../../core/model/group-by.ts';
import { lazily } from '../../core/model/lazily.ts';
import type { Library, Overload } from './library.ts';
import { access } from './std/access.ts';
import { arithmetic } from './std/arithmetic.ts';
import { conversions } from './std/conversions.ts';
import { relations, strings } from './std/relations.ts';
import { times } from './std/times.ts';

/** CEL's standard functions and operators (https://github.com/google/cel-spec/blob/master/doc/langdef.md#functions). */
export const standardLibrary: Library = {
  name: 'CEL standard',
  overloads: [access, arithmetic, conversions, relations, strings, times].flat(),
};

interface EnvironmentOptions {
  /**
   * Whether `int`, `string` and the other type names are values, as in CEL; in kro they are unknown identifiers,
   * because its type provider starts from an empty registry (kro: pkg/cel/environment.go).
   */
  typeNames?: boolean;
  /** Whether `<` and the like accept numbers of two types (cel.CrossTypeNumericComparisons); kro disables it. */
  crossTypeComparisons?: boolean;
  /**
   * Whether a map literal rejects duplicate keys. cel-go, and so kro, keeps the last value; the specification forbids
   * them.
   */
  uniqueKeys?: boolean;
  /** Whether `format` is that of cel-go's strings library before version 4, as in validation rules. */
  formatsAsVersion2?: boolean;
}

/** The functions that expressions may call. Created once, shared by all expressions. */
export interface Environment extends EnvironmentOptions {
  /** Returns all overloads of a name, in the order of declaration; empty if there is no such function. */
  functions(name: string): readonly Overload[];
  functionNames(): Iterable<string>;
}

/** Always includes the standard library; the index by name is built on first use. */
export function createEnvironment(libraries: readonly Library[], options: EnvironmentOptions = {}): Environment {
  const byName = lazily(() => indexByName([standardLibrary, ...libraries]));
  return { ...options, functions: (name) => byName().get(name) ?? [], functionNames: () => byName().keys() };
}

const indexByName = (libraries: readonly Library[]): Map<string, Overload[]> =>
  groupBy(
    libraries.flatMap(({ overloads }) => overloads),
    ({ name }) => name,
  );
