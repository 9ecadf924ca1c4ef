import words from '../../../data/other-words.json';
import {
  advise,
  askFor,
  type Hint,
  type Message,
  type Problem,
  phrase,
  shown,
  shownHint,
} from '../../core/diagnostics/index.ts';
import { isMap, ownValue, type Path, typeTitle, type Value, type ValueMap } from '../../core/model/value.ts';
import { hintsByWord, nearest } from '../../core/text/nearest.ts';

const FIELD = String.raw`([A-Za-z]\w*\.(?:spec|metadata|status|data)(?:\.\w+|\[\w+\])+)`;
const PLAIN_REFERENCE = new RegExp(
  String.raw`(?<!\$)(?:(?:\{\{\s*\.?|\$\(\s*|\{\s*)${FIELD}\s*[)}]+|\$${FIELD}|(?=[A-Za-z])(?<=^\s*)${FIELD}(?=\s*$))`,
);

/**
 * Returns the first text of the form `{schema.spec.name}`, `$(schema.spec.name)`, `{{ schema.spec.name }}` or
 * `$schema.spec.name`, or the whole text if it is a name: other languages have other forms.
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

const ACTION = /\{\{[^{}]*\}\}/g;
const HELM = /\.(Values|Release|Chart|Capabilities)\b(?:\.([\w.]+))?|\binclude\s+"/;

/** Returns the first action of a Helm template in a text; other languages have braces too, so it must name Helm's objects. */
export function helmTemplateIn(text: string): { written: string; hint: string } | undefined {
  for (const [written] of text.matchAll(ACTION)) {
    const found = HELM.exec(written);
    if (found !== null) return { written, hint: hintFor(found[1], found[2]) };
  }
  return undefined;
}

function hintFor(root: string | undefined, field: string | undefined): string {
  const name =
    root === 'Values' && field !== undefined
      ? `schema.spec.${field}`
      : root === 'Release'
        ? 'schema.metadata.name'
        : undefined;
  return `an expression of an RGD is \${${name ?? '...'}}, and reads schema or another node`;
}

export const dollarHint = (name: string): string => `an expression needs a $ before the brace: \${${name}}`;

/** Returns the expression that YAML read as a map because of its braces: `name: {schema.spec.name}`. */
export function bracedExpression(value: Value): string | undefined {
  if (!isMap(value)) return undefined;
  const [key = '', ...others] = Object.keys(value);
  return others.length === 0 && ownValue(value, key) === null && /^[A-Za-z]\w*(\.\w+|\[\w+\])+$/.test(key)
    ? key
    : undefined;
}

export interface JsonPart {
  type?: string;
  enum?: readonly string[];
  properties?: Readonly<Record<string, JsonPart>>;
  items?: JsonPart;
  additionalProperties?: boolean | JsonPart;
  required?: readonly string[];
  /** A field that needs a switch: no hint offers it. */
  isAlpha?: boolean;
}

/** Hints about unknown fields by the name of the part: those of a later kro, and words that are written for a field. */
const HINTS: Readonly<Record<string, Parameters<typeof hintsByWord>[0]>> = words.rgd;

/** Returns the type of a part in words, `undefined` if it may be anything. */
function wantedType({ type, properties, items, ...part }: JsonPart): 'a list' | 'a map' | 'a string' | undefined {
  if (items !== undefined) return 'a list';
  if (type === 'object' || properties !== undefined) return 'a map';
  return type === 'string' || part.enum !== undefined ? 'a string' : undefined;
}

/** Decodes strictly as the API server does: reports unknown fields and wrong types at once. Null is absent. */
export function shapeProblems(value: Value, part: JsonPart, path: Path = [], name = ''): Problem[] {
  const wanted = wantedType(part);
  if (value === null || wanted === undefined) return [];
  const { items = {}, additionalProperties: values, properties } = part;
  if (wanted === 'a list' && Array.isArray(value)) {
    const ofItem = wantedType(items);
    return value.flatMap((item, index) => {
      const at = [...path, index];
      // A null in a list is still an item.
      return item === null && ofItem ? wrongType(item, ofItem, at) : shapeProblems(item, items, at, name);
    });
  }
  if (wanted === 'a map' && isMap(value)) {
    if (properties !== undefined) return fieldProblems(value, part, path, name);
    const ofValues = typeof values === 'object' ? values : {};
    return Object.keys(value).flatMap((key) => shapeProblems(value[key] as Value, ofValues, [...path, key], name));
  }
  return wanted === 'a string' && typeof value === 'string' ? [] : [wrongType(value, wanted, path)];
}

function fieldProblems(value: ValueMap, part: JsonPart, path: Path, name: string): Problem[] {
  const { properties = {}, required = [] } = part;
  const problems = Object.keys(value).flatMap((key) => {
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (field === undefined)
      return unknownField(key, offered(properties), hintsByWord(ownValue(HINTS, name) ?? {}), path);
    // A selector is checked with the node.
    if (key === 'selector') return [];
    return shapeProblems(value[key] as Value, field, [...path, key], name === '' ? key : `${name}.${key}`);
  });
  for (const key of required) {
    if (Object.hasOwn(value, key) && value[key] !== null) continue;
    problems.push({ code: 'rgd-shape', message: phrase`the field '${{ key }}' is required`, path });
  }
  return problems;
}

/** Returns the fields that a hint names. */
const offered = (properties: Readonly<Record<string, JsonPart>>): readonly string[] =>
  Object.entries(properties).flatMap(([name, { isAlpha }]) => (isAlpha === true ? [] : [name]));

function unknownField(key: string, known: readonly string[], hints: ReadonlyMap<string, Hint>, path: Path): Problem {
  const close = nearest(key, known);
  const own = shownHint(hints.get(key));
  const hint =
    own ??
    (close.length > 0 ? shownHint(askFor(close.slice(0, 1))) : phrase`the fields here are ${shown(known.join(', '))}`);
  const message = phrase`unknown field '${{ key: close.length > 0 ? shown(key) : key }}'`;
  return { code: 'rgd-unknown-field', message, path: [...path, key], hint };
}

function wrongType(value: Value, wanted: string, path: Path): Problem {
  const got =
    typeof value === 'object'
      ? typeTitle(value)
      : typeof value === 'string' && value.includes('\n')
        ? 'a string of several lines'
        : `the ${typeof value === 'bigint' ? 'integer' : typeof value} ${value}`;
  const message = phrase`must be ${{ expected: wanted }}, got ${{ got }}`;
  return { code: 'rgd-shape', message, path, hint: typeHint(value, wanted) };
}

function typeHint(value: Value, wanted: string): Message | undefined {
  if (wanted === 'a list') return advise(phrase`write a list, with - before each item`, { kind: 'make-list' });
  if (wanted === 'a map' && typeof value === 'string' && value.includes('\n'))
    return phrase`leave out the | or > that makes it a string`;
  if (wanted !== 'a string') return undefined;
  const braced = bracedExpression(value);
  if (braced !== undefined) return phrase`${dollarHint(braced)}`;
  return typeof value === 'object' ? undefined : advise(phrase`quote it`, { kind: 'quote' });
}
