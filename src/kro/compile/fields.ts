import {
  advise,
  type Hint,
  hint,
  type Message,
  phrase,
  quote,
  type RemedyOf,
  shown,
} from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import type { Value } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { nearestHint } from '../../core/text/nearest.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { isBooleanWord } from '../../kubernetes/validation/index.ts';
import { type Call, type CelType, type Expr, hasNoLiterals, type MapExpr } from '../../languages/cel/index.ts';
import { plainReferenceIn } from '../definition/index.ts';
import type { CompiledExpression } from './template-program.ts';

/** Reports whether kro accepts anything under a schema. */
export const isOpen = (schema: Schema | undefined): boolean =>
  schema?.['x-kubernetes-preserve-unknown-fields'] === true;

/** Returns the JSON types that a schema allows, `undefined` for any (kro: getExpectedTypes). */
export function expectedTypes(schema: Schema): readonly string[] | undefined {
  if (isOpen(schema)) return undefined;
  if (schema['x-kubernetes-int-or-string'] === true) return ['string', 'integer'];
  const variants = alternativeTypes(schema.oneOf) ?? alternativeTypes(schema.anyOf);
  if (variants !== undefined) return variants;
  return schema.type === undefined ? undefined : [schema.type];
}

function alternativeTypes(schemas: readonly Schema[] | undefined): readonly string[] | undefined {
  const types = new Set<string>();
  for (const schema of schemas ?? []) {
    if (schema.required !== undefined || schema.not !== undefined) types.add('object');
    if (schema.type !== undefined) types.add(schema.type);
  }
  return types.size === 0 ? undefined : [...types];
}

export function typeNameOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  return typeof value;
}

export function fits(actual: string, wanted: readonly string[], schema: Schema | undefined): boolean {
  if (wanted.includes(actual)) return true;
  if (actual === 'integer') return wanted.includes('number');
  if (actual === 'object') return schema?.additionalProperties !== undefined && schema.additionalProperties !== false;
  return false;
}

/** Returns the schema of a key; `undefined` if any value is allowed. */
export function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined | 'unknown' {
  if (schema === undefined) return undefined;
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  if (schema.additionalProperties === true) return undefined;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    return schema.additionalProperties;
  return schema.type === undefined && schema.properties === undefined ? undefined : 'unknown';
}

interface LiteralProblem {
  /** `unknown`: the object has no such field. `list`: the field is a list, and the value is a map. */
  kind: 'unknown' | 'list';
  key: string;
  offset: number;
  schema: Schema;
}

/** Returns literals in an expression that kro accepts and the API server rejects: unknown keys, and maps for lists. */
export function literalFaults(expr: Expr, schema: Schema | undefined): LiteralProblem[] {
  if (schema === undefined || isOpen(schema)) return [];
  switch (expr.kind) {
    case 'map':
      return inMap(expr, schema);
    case 'list':
      return expr.elements.flatMap(({ value }) => literalFaults(value, schema.items));
    case 'call':
      return valuesOf(expr).flatMap((value) => literalFaults(value, schema));
    case 'bind':
      return literalFaults(expr.body, schema);
    case 'comprehension': {
      const creates = { list: schema.items, map: valueSchema(schema), mapEntry: schema };
      return literalFaults(
        expr.body,
        { all: undefined, exists: undefined, existsOne: undefined, ...creates }[expr.does],
      );
    }
    default:
      return [];
  }
}

function inMap(map: MapExpr, schema: Schema): LiteralProblem[] {
  const closed = Object.keys(schema.properties ?? {}).length > 0;
  return map.entries.flatMap(({ key, value }) => {
    if (key.kind !== 'literal' || key.literal.type !== 'string') return literalFaults(value, valueSchema(schema));
    const name = key.literal.value;
    const field = fieldSchema(schema, name);
    if (field === 'unknown') return closed ? [{ kind: 'unknown', key: name, offset: key.offset, schema }] : [];
    if (value.kind === 'map' && field?.type === 'array')
      return [{ kind: 'list', key: name, offset: value.offset, schema }];
    return literalFaults(value, field);
  });
}

/** Returns the sub-expressions of a call whose value, or whose elements or entries, become those of the call. */
function valuesOf({ name, target, args }: Call): readonly Expr[] {
  if (name === '_?_:_') return args.slice(1);
  // In a parsed expression `optional.of` is the member `of` of the name `optional`.
  if (name === 'of') return target?.kind === 'ident' && target.name === 'optional' ? args : [];
  if (!HANDS_ON.has(name)) return [];
  return target === undefined ? args : [target, ...args];
}

const HANDS_ON = new Set(['_+_', 'merge', 'or', 'orValue', 'optional.of']);

/** Returns an expression for a hint, or nothing if it contains a literal and may be in a Secret. */
export const sourceOf = ({ source, names, parsed }: CompiledExpression): Message =>
  names.length > 0 && hasNoLiterals(parsed.root) ? shown(source.trim()) : quote(source.trim(), '...');

export function hintForText(part: CompiledExpression, parts: readonly (string | CompiledExpression)[]): Message {
  if (part.type.kind === 'optional')
    return advise(phrase`give a fallback: ${sourceOf(part)}.orValue("...")`, fallbackTo('""'));
  const rest = parts.filter((other): other is string => typeof other === 'string');
  if (rest.every((text) => text.trim() === '')) {
    return phrase`white space around the expression makes it a string: use |- or >- (no newline at the end) or quote the line`;
  }
  return ['list', 'map', 'object'].includes(part.type.kind)
    ? phrase`pick one of its elements, or write json.marshal(...)`
    : convertHint('string', sourceOf(part));
}

/** The types of which a function of CEL makes a value of another type, by that type, which names the function. */
const CONVERTED: Partial<Record<CelType['kind'], readonly CelType['kind'][]>> = {
  string: ['int', 'uint', 'double', 'bool', 'bytes', 'duration', 'timestamp'],
  int: ['string', 'double'],
  double: ['string', 'int'],
};

export function conversionHint(expression: CompiledExpression, to: CelType): Message | undefined {
  const { type: from } = expression;
  const actual = from.kind;
  const expected = to.kind;
  const source = sourceOf(expression);
  if (expected === 'object' && actual === 'map') return looseHint(expression);
  if (from.kind === 'list' && to.kind === 'list' && from.element.kind === 'map' && to.element.kind === 'object') {
    return phrase`write each of the maps as dyn({...}), whose fields may be of different types`;
  }
  const converted = CONVERTED[expected];
  if (converted?.includes(actual)) return convertHint(expected, source);
  if (expected === 'bool') return conditionHint(expression);
  if (expected === 'list' && (actual === 'map' || actual === 'object'))
    return advise(phrase`write a list: [${source}]`, { kind: 'make-list-expression' });
  if (expected === 'string' && from.kind === 'object')
    return phrase`read one of its fields: ${source}.${shown(enumerated(from.fieldNames(), MOST_NAMED))}`;
  if (expected === 'string' && (actual === 'map' || actual === 'list')) return phrase`write json.marshal(${source})`;
  if (expected === 'bytes' && actual === 'string')
    return phrase`this field holds bytes: bytes(${source}), or use stringData`;
  return undefined;
}

/** How many fields a hint names. */
const MOST_NAMED = 5;

const ZERO = { int: '0', uint: '0u', double: '0.0' } as const;

export const fallbackTo = (value: string): RemedyOf<Message> => ({ kind: 'add-fallback', value: shown(value) });

const convertHint = (name: string, source: Message): Message =>
  advise(phrase`convert it: ${shown(name)}(${source})`, { kind: 'convert', function: shown(name) });

/** A source that is not shown has no remedy. */
const compareHint = (words: string, expression: Message): Message =>
  advise(phrase`${shown(words)} ${expression}`, { kind: 'compare', expression });

export function conditionHint(expression: CompiledExpression): Message | undefined {
  const source = sourceOf(expression);
  switch (expression.type.kind) {
    case 'dyn':
      return phrase`${convertHint('bool', source)}, or compare it`;
    case 'string':
      return compareHint('compare it, for example', phrase`${source} != ""`);
    case 'int':
    case 'uint':
    case 'double':
      return compareHint('compare it, for example', phrase`${source} > ${shown(ZERO[expression.type.kind])}`);
    case 'list':
    case 'map':
      return compareHint('compare its size:', phrase`size(${source}) > 0`);
    default:
      return undefined;
  }
}

/** An empty literal has no type of its own, and any other literal has one type for all of its values. */
function looseHint(expression: CompiledExpression): Message {
  const source = expression.source.trim();
  if (/^\{\s*\}$/.test(source)) return phrase`write {} without \${ }, or dyn({})`;
  const loose = source.startsWith('{') ? phrase`dyn({...})` : phrase`dyn(${sourceOf(expression)})`;
  return phrase`write ${loose}: the values of a map are of one type, which every field of the object would have to take`;
}

export function literalHint(wanted: readonly string[], actual: string, text: string): Hint | undefined {
  if (actual === 'string' && /^\s*\$\{[\s\S]*\}\s*$/.test(text)) {
    return hint('white space around the expression makes it a string: use |- or >- (no newline at the end)');
  }
  if (actual === 'string' && text.includes('${')) {
    return hint(
      'text around an expression makes a string: compute the value in one expression, for example ${int(...)}',
    );
  }
  if (actual === 'string' && /^(\d+|true|false)$/.test(text))
    return hint('write it without quotes', { kind: 'unquote' });
  if (actual === 'string' && wanted.includes('boolean') && isBooleanWord(text)) {
    return hint('write true or false, without quotes', { kind: 'make-boolean' });
  }
  const reference = plainReferenceIn(text);
  if (actual === 'string' && reference !== undefined) return hint(reference.hint);
  if (wanted[0] === 'array') return hint('write a list, with - before each item', { kind: 'make-list' });
  if (wanted.includes('string') && ['integer', 'number', 'boolean'].includes(actual))
    return hint('quote it', { kind: 'quote' });
  return undefined;
}

const known = new WeakMap<Schema, readonly string[]>();

/** Returns the fields of a schema, cached because there may be thousands of fields and of unknown keys. */
const namesOf = (schema: Schema): readonly string[] =>
  getOrCompute(known, schema, () => Object.keys(schema.properties ?? {}));

export function fieldHint(key: string, schema: Schema | undefined): Hint | undefined {
  const names = schema === undefined ? [] : namesOf(schema);
  const intended = nearestHint(key, names);
  if (intended !== undefined) return intended;
  return names.length > 0 && names.length <= 12 ? hint(`its fields are ${names.join(', ')}`) : undefined;
}
