import { mapItems, type Path, textsIn, type Value } from '../core/model/value.ts';

const NEXT_LINE = '\u0085';

/**
 * Returns an entry of `resources` as the operator reads it. An API server stores it as JSON, and the operator reads that
 * as YAML 1.1, where U+0085 is a line break: one is folded to a blank, and of several all but one stay.
 */
export function foldNextLines(entry: Value): Value {
  for (const { text } of textsIn(entry)) if (text.includes(NEXT_LINE)) return folded(entry);
  return entry;
}

function folded(value: Value): Value {
  return typeof value === 'string' ? foldText(value) : mapItems(value, folded);
}

function foldText(text: string): string {
  return text.replace(/(?<! ) *\u0085[ \u0085]*/g, (blank) => {
    const breaks = blank.split(NEXT_LINE).length - 1;
    return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
  });
}

/** Characters that JSON contains as they are, and YAML 1.1 does not. */
const CONTROL = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

interface JsonFault {
  path: Path;
  reason: string;
}

/** Returns what is no YAML 1.1 in the JSON of a value. */
export function faultInJson(value: Value, path: Path = []): JsonFault | undefined {
  if (typeof value === 'string') return CONTROL.test(value) ? { path, reason: controlIn(value) } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === 'string') {
      if (CONTROL.test(key)) return { path, reason: controlIn(key) };
      if (key.includes(NEXT_LINE)) return { path, reason: 'a key contains U+0085, which breaks its line' };
    }
    const fault = faultInJson(item, [...path, key]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function controlIn(text: string): string {
  const [char = ''] = CONTROL.exec(text) ?? [];
  return `it contains U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns a rendered text with U+0085 as the line break that it is in YAML 1.1. */
export const breakNextLines = (text: string): string => text.replaceAll(NEXT_LINE, '\n');

/** Reports whether U+0085 comes before `---` or `...`: the operator then ignores the rest of the document. */
export const hidesDocument = (text: string): boolean => /\u0085(?:---|\.\.\.)(?:\s|$)/.test(text);
