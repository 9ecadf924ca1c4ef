import macros from '../../../../data/cel-macros.json';
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

export const MACROS = macros as readonly MacroHelp[];

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
function accepts(param: CelType | undefined, type: CelType): boolean {
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
