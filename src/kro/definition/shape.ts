import { type Message, type Problem, phrase, shown, shownIf } from '../../core/diagnostics/index.ts';
import { isMap, type Path, typeTitle, type Value, type ValueMap } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';

const FIELD = String.raw`([A-Za-z]\w*\.(?:spec|metadata|status|data)(?:\.\w+|\[\w+\])+)`;
const PLAIN_REFERENCE = new RegExp(
  String.raw`(?<!\$)(?:(?:\{\{\s*\.?|\$\(\s*|\{\s*)${FIELD}\s*[)}]+|\$${FIELD}|(?<=^\s*)${FIELD}(?=\s*$))`,
);

/**
 * Returns the first text of the form `{schema.spec.name}`, `$(schema.spec.name)`, `{{ schema.spec.name }}` or
 * `$schema.spec.name`, or the whole text if it is a name. Texts of other languages may contain such names too, so only
 * these forms count.
 */
export function plainReferenceIn(
  text: string,
): { name: string; written: string; offset: number; hint: string } | undefined {
  const found = PLAIN_REFERENCE.exec(text);
  if (found === null) return undefined;
  const [written, braced, dollar, whole = ''] = found;
  const name = braced ?? dollar ?? whole;
  const hint = braced === undefined ? `an expression needs braces: \${${name}}` : dollarHint(name);
  return { name, written, offset: found.index, hint };
}

const HELM = /\{\{[^{}]*?(?:\.(Values|Release|Chart|Capabilities)\b(?:\.([\w.]+))?|\binclude\s+")[^{}]*\}\}/;

/** Returns the first action of a Helm template in a text; other languages have braces too, so it must name Helm's objects. */
export function helmTemplateIn(text: string): { written: string; hint: string } | undefined {
  const found = HELM.exec(text);
  if (found === null) return undefined;
  const [written, root, field] = found;
  const name =
    root === 'Values' && field !== undefined
      ? `schema.spec.${field}`
      : root === 'Release'
        ? 'schema.metadata.name'
        : undefined;
  return { written, hint: `an expression of an RGD is \${${name ?? '...'}}, and reads schema or another node` };
}

export const dollarHint = (name: string): string => `an expression needs a $ before the brace: \${${name}}`;

/** Returns the expression that YAML read as a map because of its braces: `name: {schema.spec.name}`. */
export function bracedExpression(value: Value): string | undefined {
  if (!isMap(value)) return undefined;
  const [key = '', ...others] = Object.keys(value);
  return others.length === 0 && value[key] === null && /^[A-Za-z]\w*(\.\w+|\[\w+\])+$/.test(key) ? key : undefined;
}

/** The shape of a value: a scalar, a list, a map of equal values, or an object with known fields. */
export type Shape =
  | 'any'
  | 'string'
  | 'map'
  | { list: Shape }
  | { mapOf: Shape }
  | {
      fields: Readonly<Record<string, Shape>>;
      required?: readonly string[];
      /** Hints about unknown fields: those of a later kro, and words that are written in place of a field. */
      hints?: ReadonlyMap<string, string>;
    };

/** Decodes strictly as the API server does: reports unknown fields and wrong types at once. Null is absent. */
export function shapeProblems(value: Value, shape: Shape, path: Path = []): Problem[] {
  if (shape === 'any' || value === null) return [];
  if (shape === 'string') return typeof value === 'string' ? [] : [wrongType(value, 'a string', path)];
  if (shape === 'map') return isMap(value) ? [] : [wrongType(value, 'a map', path)];
  if ('list' in shape) {
    if (!Array.isArray(value)) return [wrongType(value, 'a list', path)];
    return value.flatMap((item, index) => itemProblems(item, shape.list, [...path, index]));
  }
  if (!isMap(value)) return [wrongType(value, 'a map', path)];
  if ('mapOf' in shape) {
    return Object.keys(value).flatMap((key) => shapeProblems(value[key] as Value, shape.mapOf, [...path, key]));
  }
  return fieldProblems(value, shape, path);
}

/** A null in a list is still an item. */
function itemProblems(item: Value, shape: Shape, path: Path): Problem[] {
  if (item !== null || shape === 'any') return shapeProblems(item, shape, path);
  return [wrongType(item, shape === 'string' ? 'a string' : 'a map', path)];
}

function fieldProblems(
  value: ValueMap,
  { fields, required = [], hints }: Extract<Shape, { fields: unknown }>,
  path: Path,
): Problem[] {
  const problems = Object.keys(value).flatMap((key) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return unknownField(key, Object.keys(fields), hints, path);
    return shapeProblems(value[key] as Value, field, [...path, key]);
  });
  for (const key of required) {
    if (Object.hasOwn(value, key) && value[key] !== null) continue;
    problems.push({ code: 'rgd-shape', message: phrase`the field '${key}' is required`, path });
  }
  return problems;
}

function unknownField(
  key: string,
  known: readonly string[],
  hints: ReadonlyMap<string, string> | undefined,
  path: Path,
): Problem {
  const close = nearest(key, known);
  const own = shownIf(hints?.get(key));
  const hint =
    own ??
    (close.length > 0
      ? phrase`did you mean '${shown(close[0] as string)}'?`
      : phrase`the fields here are ${shown(known.join(', '))}`);
  const message = phrase`unknown field '${close.length > 0 ? shown(key) : key}'`;
  return { code: 'rgd-unknown-field', message, path: [...path, key], hint };
}

function wrongType(value: Value, wanted: string, path: Path): Problem {
  const got =
    typeof value === 'object'
      ? typeTitle(value)
      : `the ${typeof value === 'bigint' ? 'integer' : typeof value} ${value}`;
  return { code: 'rgd-shape', message: phrase`must be ${wanted}, got ${got}`, path, hint: typeHint(value, wanted) };
}

function typeHint(value: Value, wanted: string): Message | undefined {
  if (wanted === 'a list') return phrase`write a list, with - before each item`;
  if (wanted === 'a map' && typeof value === 'string' && value.includes('\n'))
    return phrase`leave out the | or > that makes it a string`;
  if (wanted !== 'a string') return undefined;
  const braced = bracedExpression(value);
  if (braced !== undefined) return phrase`${dollarHint(braced)}`;
  return typeof value === 'object' ? undefined : phrase`quote it`;
}
