import type { CelType } from '../../cel/index.ts';
import type { Schema } from '../../schema/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { CompiledExpression } from './template-field.ts';

/** What to do about a part of a longer string that is no string. */
export function hintForText(part: CompiledExpression, parts: readonly (string | CompiledExpression)[]): string {
  if (part.type.kind === 'optional') return `give a fallback: ${part.source}.orValue("...")`;
  const rest = parts.filter((other): other is string => typeof other === 'string');
  if (rest.every((text) => text.trim() === '')) {
    return 'white space around the expression makes it a string: use |- or >- (no newline at the end) or quote the line';
  }
  return ['list', 'map', 'object'].includes(part.type.kind)
    ? 'pick one of its elements, or write json.marshal(...)'
    : `convert it: string(${part.source.trim()})`;
}

/** How to turn a value of one type into another. */
export function conversionHint(actual: CelType['kind'], expected: CelType['kind'], source: string): string | undefined {
  if (expected === 'object' && actual === 'map') return emptyHint(source);
  if (expected === 'string' && ['int', 'uint', 'double', 'bool', 'bytes', 'duration', 'timestamp'].includes(actual)) {
    return `convert it: string(${source})`;
  }
  if (expected === 'int' && (actual === 'string' || actual === 'double')) return `convert it: int(${source})`;
  if (expected === 'double' && (actual === 'string' || actual === 'int')) return `convert it: double(${source})`;
  if (expected === 'bool' && actual === 'string') return `compare it: ${source} == "true"`;
  if (expected === 'bytes' && actual === 'string') return `this field holds bytes: bytes(${source}), or use stringData`;
  return undefined;
}

/** An empty literal has no type of its own, and kro wants texts as keys. */
const emptyHint = (source: string): string | undefined =>
  /^\{\s*\}$/.test(source) ? 'write {} without ${ }, or dyn({})' : undefined;

/** What to do about a literal of the wrong type. */
export function literalHint(wanted: readonly string[], actual: string, text: string): string | undefined {
  if (actual === 'string' && /^\s*\$\{[\s\S]*\}\s*$/.test(text)) {
    return 'white space around the expression makes it a string: use |- or >- (no newline at the end)';
  }
  if (actual === 'string' && text.includes('${')) {
    return 'text around an expression makes a string: compute the value in one expression, for example ${int(...)}';
  }
  if (actual === 'string' && /^(\d+|true|false)$/.test(text)) return 'write it without quotes';
  if (wanted.includes('string') && ['integer', 'number', 'boolean'].includes(actual)) return 'put it in quotes';
  return undefined;
}

const known = new WeakMap<Schema, readonly string[]>();

/** The fields of a schema, which may be thousands and be asked for by thousands of keys. */
function namesOf(schema: Schema): readonly string[] {
  const names = known.get(schema) ?? Object.keys(schema.properties ?? {});
  known.set(schema, names);
  return names;
}

/** Which field was meant by a key that an object does not declare; all of them when they are few. */
export function fieldHint(key: string, schema: Schema | undefined): string | undefined {
  const names = schema === undefined ? [] : namesOf(schema);
  const meant = didYouMean(key, names);
  if (meant !== undefined) return meant;
  return names.length > 0 && names.length <= 12 ? `its fields are ${names.join(', ')}` : undefined;
}
