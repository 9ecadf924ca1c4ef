import { type Message, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { isBooleanWord } from '../../kubernetes/validation/index.ts';
import { type CelType, hasNoLiterals } from '../../languages/cel/index.ts';
import { plainReferenceIn } from '../definition/index.ts';
import type { CompiledExpression } from './template-program.ts';

/** Returns an expression for a hint, or nothing if it contains a literal and may be in a Secret. */
export const sourceOf = ({ source, names, parsed }: CompiledExpression): Message =>
  names.length > 0 && hasNoLiterals(parsed.root) ? shown(source.trim()) : quote(source.trim(), '...');

/** Returns the hint for a part of a longer string that is not a string. */
export function hintForText(part: CompiledExpression, parts: readonly (string | CompiledExpression)[]): Message {
  if (part.type.kind === 'optional') return phrase`give a fallback: ${sourceOf(part)}.orValue("...")`;
  const rest = parts.filter((other): other is string => typeof other === 'string');
  if (rest.every((text) => text.trim() === '')) {
    return phrase`white space around the expression makes it a string: use |- or >- (no newline at the end) or quote the line`;
  }
  return ['list', 'map', 'object'].includes(part.type.kind)
    ? phrase`pick one of its elements, or write json.marshal(...)`
    : phrase`convert it: string(${sourceOf(part)})`;
}

/** Returns the hint to convert a value of one type to another. */
export function conversionHint(expression: CompiledExpression, to: CelType): Message | undefined {
  const { type: from } = expression;
  const [actual, expected] = [from.kind, to.kind];
  const source = sourceOf(expression);
  if (expected === 'object' && actual === 'map') return looseHint(expression);
  if (from.kind === 'list' && to.kind === 'list' && from.element.kind === 'map' && to.element.kind === 'object') {
    return phrase`write each of the maps as dyn({...}), whose fields may be of different types`;
  }
  if (expected === 'string' && ['int', 'uint', 'double', 'bool', 'bytes', 'duration', 'timestamp'].includes(actual)) {
    return phrase`convert it: string(${source})`;
  }
  if (expected === 'int' && (actual === 'string' || actual === 'double')) return phrase`convert it: int(${source})`;
  if (expected === 'double' && (actual === 'string' || actual === 'int')) return phrase`convert it: double(${source})`;
  if (expected === 'bool') return conditionHint(expression);
  if (expected === 'list' && (actual === 'map' || actual === 'object')) return phrase`write a list: [${source}]`;
  if (expected === 'bytes' && actual === 'string')
    return phrase`this field holds bytes: bytes(${source}), or use stringData`;
  return undefined;
}

/** Returns how to make a condition of a value that is not a bool. */
export function conditionHint(expression: CompiledExpression): Message | undefined {
  const source = sourceOf(expression);
  switch (expression.type.kind) {
    case 'dyn':
      return phrase`convert it: bool(${source}), or compare it`;
    case 'string':
      return phrase`compare it, for example ${source} != ""`;
    case 'int':
    case 'uint':
    case 'double':
      return phrase`compare it, for example ${source} > ${shown({ int: '0', uint: '0u', double: '0.0' }[expression.type.kind])}`;
    case 'list':
    case 'map':
      return phrase`compare its size: size(${source}) > 0`;
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

export function literalHint(wanted: readonly string[], actual: string, text: string): string | undefined {
  if (actual === 'string' && /^\s*\$\{[\s\S]*\}\s*$/.test(text)) {
    return 'white space around the expression makes it a string: use |- or >- (no newline at the end)';
  }
  if (actual === 'string' && text.includes('${')) {
    return 'text around an expression makes a string: compute the value in one expression, for example ${int(...)}';
  }
  if (actual === 'string' && /^(\d+|true|false)$/.test(text)) return 'write it without quotes';
  if (actual === 'string' && wanted.includes('boolean') && isBooleanWord(text)) {
    return 'write true or false, without quotes';
  }
  const reference = plainReferenceIn(text);
  if (actual === 'string' && reference !== undefined) return reference.hint;
  if (wanted[0] === 'array') return 'write a list, with - before each item';
  if (wanted.includes('string') && ['integer', 'number', 'boolean'].includes(actual)) return 'quote it';
  return undefined;
}

const known = new WeakMap<Schema, readonly string[]>();

/** Returns the fields of a schema, cached because there may be thousands of fields and of unknown keys. */
const namesOf = (schema: Schema): readonly string[] =>
  getOrCompute(known, schema, () => Object.keys(schema.properties ?? {}));

/** Returns the hint for an undeclared key: the nearest field, or all fields if there are few. */
export function fieldHint(key: string, schema: Schema | undefined): string | undefined {
  const names = schema === undefined ? [] : namesOf(schema);
  const intended = didYouMean(key, names);
  if (intended !== undefined) return intended;
  return names.length > 0 && names.length <= 12 ? `its fields are ${names.join(', ')}` : undefined;
}
