import type { GeneratedPackage } from '../packages.ts';
import type { Json, JsonMap } from '../types.ts';
import inventory from './inventory.json' with { type: 'json' };

/** Something that a package may have. */
export interface Row {
  name: string;
  /** Reports whether a package has it. */
  has(pack: Drawn): boolean;
}

/** A package with what the rows look at. */
export interface Drawn {
  pack: GeneratedPackage;
  rgds: readonly JsonMap[];
  /** The expressions, with string literals emptied. */
  code: string;
  /** The texts of the schemas. */
  schemas: string;
  instances: readonly JsonMap[];
  nodes: readonly JsonMap[];
}

const isRgd = ({ kind }: JsonMap): boolean => kind === 'ResourceGraphDefinition';
const mapOf = (value: Json | undefined): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const schemaOf = (rgd: JsonMap): JsonMap => mapOf(mapOf(rgd.spec).schema);

export function drawnOf(pack: GeneratedPackage): Drawn {
  const rgds = pack.objects.filter(isRgd);
  const kinds = rgds.map((rgd) => schemaOf(rgd).kind);
  return {
    pack,
    rgds,
    code: expressionsIn(rgds).map(withoutLiterals).join('\n'),
    schemas: textsIn(rgds.map((rgd) => [schemaOf(rgd).spec ?? null, schemaOf(rgd).types ?? null])).join('\n'),
    instances: pack.objects.filter(({ kind }) => kinds.includes(kind)),
    nodes: rgds.flatMap((rgd) => listOf(mapOf(rgd.spec).resources).map(mapOf)),
  };
}

export function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const expressionsIn = (rgds: readonly JsonMap[]): string[] =>
  rgds.flatMap((rgd) => textsIn(rgd.spec ?? null)).filter((text) => text.includes('${'));

const withoutLiterals = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');

/** How operators are written: their names in kro's CEL environment are those of functions. */
const OPERATORS: Readonly<Record<string, RegExp>> = {
  '!_': /![\w(]/,
  '-_': /(?:[[({,?:] ?|^\$\{)-[\w(]/m,
  '_!=_': / != /,
  '_%_': / % /,
  '_&&_': / && /,
  '_*_': / \* /,
  '_+_': / \+ /,
  '_-_': / - /,
  '_/_': / \/ /,
  '_<=_': / <= /,
  '_<_': / < /,
  '_==_': / == /,
  '_>=_': / >= /,
  '_>_': / > /,
  '_?._': /\.\?\w/,
  '_?_:_': / \? .* : /,
  '_[?_]': /\[\?[\w"]/,
  '_[_]': /[\w)\]]\[[\w"]/,
  _in_: / in /,
  in: / in /,
  '_||_': / \|\| /,
};

const escaped = (text: string): string => text.replaceAll('.', '\\.');

/** `size(x)`, `x.size()`, `lists.range(3)`. */
const callOf = (name: string): RegExp => OPERATORS[name] ?? new RegExp(`(?:^|[^\\w])${escaped(name)}\\(`, 'm');

/** Functions that no author writes, and why. */
export const UNWRITTEN: Readonly<Record<string, string>> = {
  __not_strictly_false__: 'the expansion of a macro has it',
};

const functionRows: Row[] = [...inventory.functions.filter((name) => !(name in UNWRITTEN)), ...inventory.macros].map(
  (name) => ({ name: `function ${name}`, has: ({ code }) => callOf(name).test(code) }),
);

/** Reports whether a path of the API exists: `spec.resources[].forEach`. */
function hasPath(value: Json | undefined, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return value !== undefined;
  const [key = '', ...lists] = step.split('[]');
  const member = mapOf(value)[key];
  if (lists.length === 0) return hasPath(member, rest);
  return rest.length === 0 ? member !== undefined : listOf(member).some((item) => hasPath(item, rest));
}

const fieldRows: Row[] = inventory.fields.map((path) => ({
  name: `field ${path}`,
  has: ({ rgds }) => rgds.some((rgd) => hasPath(rgd, path.split('.'))),
}));

const markerRows: Row[] = inventory.markers.map((marker) => ({
  name: `marker ${marker}`,
  has: ({ schemas }) => new RegExp(`[| ]${marker}=`).test(schemas),
}));

const typeRows: Row[] = inventory.types.map((type) => ({
  name: `type ${type}`,
  has: ({ schemas }) => new RegExp(`^${type}\\b`, 'm').test(schemas),
}));

/** The rows that come from kro's API, its parser and its CEL environment. */
export const inventoryRows: readonly Row[] = [...fieldRows, ...markerRows, ...typeRows, ...functionRows];

export const tools = { mapOf, listOf };
