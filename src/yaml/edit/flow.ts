import { isMap, type Value } from '../../core/model/value.ts';
import { doubleQuoted, yamlNumber } from '../emit/index.ts';

/** Keys that every YAML reader reads as strings; short ones may be words such as `y`. */
const PLAIN_KEY = /^[A-Za-z][\w./-]{5,}$/;

/** Returns a value in flow style on one line; with `quoted` as JSON. */
export function flowText(value: Value, quoted: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, quoted)).join(', ')}]`;
  if (typeof value === 'number') return yamlNumber(value);
  if (!isMap(value)) return typeof value === 'string' ? doubleQuoted(value) : String(value);
  const keys = Object.keys(value);
  const entries = keys.map((key) => {
    const text = quoted || !PLAIN_KEY.test(key) ? doubleQuoted(key) : key;
    return `${text}: ${flowText(value[key] as Value, quoted)}`;
  });
  return `{${entries.join(', ')}}`;
}

/** Reports whether a value only has strings, nulls, maps and lists, on which all readers agree. */
export const isOnlyText = (value: Value): boolean => {
  if (Array.isArray(value)) return value.every(isOnlyText);
  return isMap(value) ? Object.values(value).every(isOnlyText) : value === null || typeof value === 'string';
};
