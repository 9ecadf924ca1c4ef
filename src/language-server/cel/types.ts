import macros from '../../../data/cel-macros.json';
import { getOrCompute } from '../../core/model/lazily.ts';
import { ownValue } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import {
  type CelType,
  type Environment,
  escapedFieldName,
  formatTypeWith,
  kroEnvironment,
  type ObjectType,
  type Overload,
} from '../../languages/cel/index.ts';

/** Formats a type: an object by its kind instead of kro's name. */
export const typeText = (type: CelType): string =>
  formatTypeWith(type, {}, () => 'object')
    .replaceAll('optional_type(', 'optional(')
    .replaceAll('!error!', 'unknown');

/** Returns the type inside an optional, or the type itself. */
export const unwrapped = (type: CelType): CelType => (type.kind === 'optional' ? type.value : type);

/** A field of an object, as expressions read it. */
export interface TypedObjectField {
  /** The name in expressions. */
  name: string;
  /** The name in the schema. */
  property: string;
  type: CelType;
  schema: Schema | undefined;
  required: boolean;
}

/** Returns the fields of a type. */
export function fieldsOf(type: ObjectType): TypedObjectField[] {
  const schema = type.declaration as Schema | undefined;
  const byName = new Map(
    Object.keys(schema?.properties ?? {}).map((property) => [escapedFieldName(property) ?? property, property]),
  );
  const requiredNames = new Set(schema?.required);
  return type.fieldNames().flatMap((name) => {
    const field = type.field(name);
    if (field === undefined) return [];
    const property = byName.get(name) ?? name;
    const required = requiredNames.has(property);
    // CEL's reserved words are valid after a dot.
    const written = /^__(\w+)__$/.test(name) && !property.includes('_') ? property : name;
    const shown = /^[A-Za-z_]\w*$/.test(written) ? written : name;
    return [{ name: shown, property, type: field, schema: ownValue(schema?.properties, property), required }];
  });
}

const fieldsByName = new WeakMap<ObjectType, ReadonlyMap<string, TypedObjectField>>();

/** Returns the fields of a type by their names in expressions and in the schema; the first one of several. */
function indexFields(type: ObjectType): ReadonlyMap<string, TypedObjectField> {
  const found = new Map<string, TypedObjectField>();
  for (const field of fieldsOf(type)) {
    if (!found.has(field.name)) found.set(field.name, field);
    if (!found.has(field.property)) found.set(field.property, field);
  }
  return found;
}

export const fieldNamed = (type: CelType, name: string): TypedObjectField | undefined =>
  type.kind === 'object' ? getOrCompute(fieldsByName, type, () => indexFields(type)).get(name) : undefined;

export interface CallableFunction {
  name: string;
  overloads: readonly Overload[];
}

/** A macro, with a snippet of the text after its name. */
export interface MacroHelp {
  name: string;
  /** Its receiver; '' for none. */
  on: '' | 'list' | 'optional' | 'cel';
  /** The kind of its result; undefined if it depends on the arguments. */
  result?: CelType['kind'];
  signature: string;
  snippet: string;
  about: string;
}

export const MACROS = macros as readonly MacroHelp[];

const isWritable = (name: string): boolean => /^[A-Za-z][\w.]*$/.test(name);
const isOffered = ({ unchecked }: Overload): boolean => unchecked !== true;

/** Returns the functions that can be called on a value of a type, as `value.name(...)`. */
export function methodsOf(type: CelType, environment: Environment = kroEnvironment()): CallableFunction[] {
  return grouped(environment, (overload) => overload.member && accepts(overload.params[0], type));
}

/** Returns the functions without a receiver. Those of a namespace, such as `lists.range`, keep its name. */
export const globalFunctions = (environment: Environment = kroEnvironment()): CallableFunction[] =>
  grouped(environment, (overload) => !overload.member);

export const functionNamed = (name: string, environment: Environment = kroEnvironment()): readonly Overload[] =>
  environment.functions(name).filter(isOffered);

function grouped(environment: Environment, isWanted: (overload: Overload) => boolean): CallableFunction[] {
  return [...environment.functionNames()].filter(isWritable).flatMap((name) => {
    const overloads = functionNamed(name, environment).filter(isWanted);
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

export const parametersOf = ({ member, params }: Overload): string[] => params.slice(member ? 1 : 0).map(typeText);

/** `string.split(string, int) -> list(string)`. */
export function signatureOf(overload: Overload): string {
  const { name, member, params, result } = overload;
  const target = member && params[0] ? `${typeText(params[0])}.` : '';
  return `${target}${name}(${parametersOf(overload).join(', ')}) -> ${typeText(result)}`;
}
