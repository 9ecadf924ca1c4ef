import type { Value } from '../../core/model/value.ts';
import { jsonFloat } from '../../core/text/float.ts';

export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`JSON has no number ${value}`);
  return jsonFloat(value);
}

/** YAML 1.1 reads an exponent only after a fraction: 1.0e+21 instead of 1e+21 in JSON. */
export function yamlNumber(value: number): string {
  const text = jsonNumber(value);
  const exponent = text.indexOf('e');
  return exponent < 0 || text.includes('.') ? text : `${text.slice(0, exponent)}.0${text.slice(exponent)}`;
}

/** Returns JSON text with exact integers and ordered keys; `indent` spaces per level, none for one line. */
export function toJsonText(value: Value, indent = 0): string {
  /** The parts of the text: joining at each level would copy a large value repeatedly. */
  const parts: string[] = [];
  const colon = indent === 0 ? ':' : ': ';
  /** `lineBreak` is the break with the indentation of the value itself. */
  const write = (value: Value, lineBreak: string): void => {
    if (typeof value !== 'object' || value === null) {
      parts.push(scalarText(value));
      return;
    }
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const inner = lineBreak + ' '.repeat(indent);
    let before = open + inner;
    for (const [key, item] of Object.entries(value)) {
      parts.push(before, open === '{' ? jsonString(key) + colon : '');
      write(item, inner);
      before = `,${inner}`;
    }
    parts.push(before.startsWith(',') ? lineBreak : (open as string), close as string);
  };
  write(value, indent === 0 ? '' : '\n');
  return parts.join('');
}

function scalarText(value: null | boolean | bigint | number | string): string {
  if (typeof value === 'string') return jsonString(value);
  return typeof value === 'number' ? jsonNumber(value) : String(value);
}

/** Text cannot contain unpaired surrogates; they become U+FFFD, as in Go. */
const jsonString = (text: string): string => JSON.stringify(text.toWellFormed());
