import { isMap, type Value } from '../../core/model/value.ts';
import { jsonFloat } from '../../core/text/float.ts';

/** A number as Kubernetes stores it. */
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
  if (indent === 0) return onOneLine(value);
  const parts: string[] = [];
  writeLines(value, { indent: ' '.repeat(indent), parts }, '\n');
  return parts.join('');
}

function onOneLine(value: Value): string {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'number') return jsonNumber(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (!isMap(value)) return `[${value.map(onOneLine).join(',')}]`;
  return `{${Object.keys(value)
    .map((key) => `${jsonString(key)}:${onOneLine(value[key] as Value)}`)
    .join(',')}}`;
}

interface Lines {
  indent: string;
  /** The parts of the text: joining at each level would copy a large value repeatedly. */
  parts: string[];
}

/** `lineBreak` is the break with the indentation of the value itself. */
function writeLines(value: Value, lines: Lines, lineBreak: string): void {
  const { indent, parts } = lines;
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) {
    parts.push(onOneLine(value));
    return;
  }
  const inner = lineBreak + indent;
  let before = inner;
  parts.push(isMap(value) ? '{' : '[');
  if (isMap(value)) {
    for (const key of Object.keys(value)) {
      parts.push(before, jsonString(key), ': ');
      writeLines(value[key] as Value, lines, inner);
      before = `,${inner}`;
    }
  } else {
    for (const item of value) {
      parts.push(before);
      writeLines(item, lines, inner);
      before = `,${inner}`;
    }
  }
  parts.push(lineBreak, isMap(value) ? '}' : ']');
}

/** Text cannot contain unpaired surrogates; they become U+FFFD, as in Go. */
const jsonString = (text: string): string => JSON.stringify(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
