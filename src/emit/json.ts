import { isMap, type Value } from '../model/value.ts';
import { jsonNumber } from './number.ts';

/** JSON text with every integer exact and keys in their order; `indent` spaces a level, none for one line. */
export function toJsonText(value: Value, indent = 0): string {
  return write(value, indent, indent === 0 ? '' : '\n');
}

/** `lineBreak` is the break with the indentation of the value itself. */
function write(value: Value, indent: number, lineBreak: string): string {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'number') return jsonNumber(value);
  if (value === null || typeof value !== 'object') return String(value);
  const inner = lineBreak + ' '.repeat(indent);
  const separator = `,${inner}`;
  if (!isMap(value)) {
    if (value.length === 0) return '[]';
    return `[${inner}${value.map((item) => write(item, indent, inner)).join(separator)}${lineBreak}]`;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  const colon = indent === 0 ? ':' : ': ';
  const entries = keys.map((key) => jsonString(key) + colon + write(value[key] as Value, indent, inner));
  return `{${inner}${entries.join(separator)}${lineBreak}}`;
}

/** Text cannot hold half of a surrogate pair; Go writes U+FFFD for it, and so do we. */
const jsonString = (text: string): string => JSON.stringify(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
