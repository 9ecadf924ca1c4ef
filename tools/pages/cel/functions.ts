import {
  type CelType,
  describeType,
  kroLibraries,
  type Library,
  libraryTitles,
  type Overload,
  standardLibrary,
} from '../../../src/languages/cel/index.ts';

/** A function of a library with its signatures. */
export interface DocumentedFunction {
  library: string;
  name: string;
  /** `string.charAt(int) -> string`, `T + T -> T (T: int, double)`. */
  signatures: readonly string[];
}

/** Returns the functions of expressions in an RGD by library, without those of macro expansions. */
export function documentedFunctions(): DocumentedFunction[] {
  return [standardLibrary, ...kroLibraries].flatMap((library) =>
    [...byName(library)].map(([name, overloads]) => ({
      library: libraryTitles.get(library) ?? 'CEL standard',
      name,
      signatures: signatures(overloads),
    })),
  );
}

const isInternal = (name: string): boolean => name.includes('@') && name !== '@in';

function byName(library: Library): Map<string, Overload[]> {
  const found = new Map<string, Overload[]>();
  for (const overload of library) {
    if (isInternal(overload.name) || comparesTypes(overload) || overload.unchecked) continue;
    const known = found.get(overload.name);
    if (known === undefined) found.set(overload.name, [overload]);
    else known.push(overload);
  }
  return found;
}

/** Numbers of two types are ordered in validation rules only. */
const comparesTypes = ({ name, params }: Overload): boolean =>
  /^_[<>]=?_$/.test(name) && params[0]?.kind !== params[1]?.kind;

/** The minimum number of overloads that differ in one type and share a line. */
const MANY = 3;

function signatures(overloads: readonly Overload[]): string[] {
  const groups = new Map<string, Set<string>>();
  for (const overload of overloads) {
    for (const [shape, type] of shapes(overload)) groups.set(shape, (groups.get(shape) ?? new Set()).add(type));
  }
  const typesOf = (shape: string): string[] => [...(groups.get(shape) ?? [])].sort();
  const lines = overloads.map((overload) => {
    const shared = shapes(overload).find(([shape]) => typesOf(shape).length >= MANY);
    return shared === undefined ? write(overload) : `${shared[0]} (T: ${typesOf(shared[0]).join(', ')})`;
  });
  return [...new Set(lines)];
}

/** Returns the signature with T for one of its types, with and without the result. */
function shapes(overload: Overload): [shape: string, type: string][] {
  return typesIn(overload).flatMap((type): [string, string][] => [
    [write(overload, type, type), type],
    [write(overload, type), type],
  ]);
}

/** The scalar types of the parameters. */
function typesIn({ params }: Overload): string[] {
  const scalar = (type: CelType): CelType[] =>
    type.kind === 'list' ? scalar(type.element) : /^(map|optional|type|param|dyn)$/.test(type.kind) ? [] : [type];
  return [...new Set(params.flatMap(scalar).map(describeType))];
}

/** Formats a signature; T stands for one type of the parameters and one of the result. */
function write({ name, member, params, result }: Overload, inParams?: string, inResult?: string): string {
  const [first = '', ...rest] = params.map((type) => typeText(type, inParams));
  const all = [first, ...rest].filter((param) => param !== '');
  const call = member ? `${first}.${name}(${rest.join(', ')})` : `${name}(${all.join(', ')})`;
  return `${OPERATORS[name]?.(first, rest) ?? call} -> ${typeText(result, inResult)}`;
}

function typeText(type: CelType, variable: string | undefined): string {
  if (describeType(type) === variable) return 'T';
  return type.kind === 'list' ? `list(${typeText(type.element, variable)})` : describeType(type);
}

const infix =
  (symbol: string) =>
  (left: string, [right = '']: readonly string[]): string =>
    `${left} ${symbol} ${right}`;

const OPERATORS: Readonly<Record<string, (first: string, rest: readonly string[]) => string>> = {
  '!_': (operand) => `!${operand}`,
  '-_': (operand) => `-${operand}`,
  '_[_]': (container, [key]) => `${container}[${key}]`,
  '_[?_]': (container, [key]) => `${container}[?${key}]`,
  '_?_:_': (condition, [yes, no]) => `${condition} ? ${yes} : ${no}`,
  '@in': infix('in'),
  ...Object.fromEntries(
    ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>='].map((op) => [`_${op}_`, infix(op)]),
  ),
};
