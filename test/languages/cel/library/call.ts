import { kroLibraries, kubernetesLibraries } from '../../../../src/languages/cel/environment.ts';
import type { Library, Overload } from '../../../../src/languages/cel/library.ts';
import { type CelType, formatType } from '../../../../src/languages/cel/types.ts';
import {
  CelObject,
  type CelValue,
  isList,
  isMapValue,
  kindOf,
  Optional,
} from '../../../../src/languages/cel/value/values.ts';

function accepts(type: CelType, value: CelValue): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return true;
    case 'list':
      return isList(value) && (value.length === 0 || accepts(type.element, value[0] as CelValue));
    case 'map':
      return isMapValue(value);
    case 'optional':
      return value instanceof Optional;
    case 'opaque':
    case 'object':
      return value instanceof CelObject && value.type.name === type.name;
    default:
      return kindOf(value) === formatType(type);
  }
}

function find(libraries: readonly Library[], name: string, args: readonly CelValue[]): Overload {
  const member = name.startsWith('.');
  const found = libraries
    .flat()
    .find(
      (overload) =>
        overload.name === (member ? name.slice(1) : name) &&
        overload.member === member &&
        overload.params.length === args.length &&
        overload.params.every((type, index) => accepts(type, args[index] as CelValue)),
    );
  if (found === undefined) throw new Error(`no overload of ${name} for (${args.map(kindOf).join(', ')})`);
  return found;
}

const caller = (libraries: readonly Library[]) => {
  return (name: string, ...args: CelValue[]): CelValue => {
    const overload = find(libraries, name, args);
    return overload.call(...((overload.pattern === undefined ? args : [() => {}, ...args]) as never[]));
  };
};

/** Calls the overload of a function that takes the arguments; a name with a leading dot is a member function. */
export const call = caller(kroLibraries);

/** The same among the functions that validation rules have. */
export const callInRule = caller(kubernetesLibraries);

/** Returns the size bound that the overload declares for its result. */
export function sizeOf(name: string, ...args: CelValue[]): number | undefined {
  return find(kroLibraries, name, args).size?.(...(args as never[]));
}
