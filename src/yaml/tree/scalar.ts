import { CHOMPING_MODE, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { countUpTo } from '../../core/text/line-index.ts';
import { plainKey, resolvePlain } from '../../core/text/plain-scalar.ts';
import type { ScalarNode, YamlNode } from './tree.ts';

/** An escaped line break and the empty lines after it, any other escape, or a backslash that is none. */
const ESCAPE =
  /\\(?:\r\n|\r(?!\n)|\n)((?:[ \t]*(?:\r\n?|\n))+)[ \t]*|\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})|\\/g;

/**
 * Returns the text of a scalar, unescaped and unfolded. The parser loses the empty lines after an escaped line break
 * (YAML 1.2, 7.3.1), so they are replaced with escapes first. A backslash of an invalid escape is omitted.
 */
function scalarText(source: string, event: ScalarEvent): string {
  if (event.style !== SCALAR_STYLE.DOUBLE_QUOTED) return getScalarValue(source, event);
  const written = source.slice(event.valueStart, event.valueEnd);
  const escaped = written.replace(ESCAPE, (found, empty?: string) =>
    empty === undefined ? (found === '\\' ? '' : found) : '\\n'.repeat(breaksIn(empty)),
  );
  if (escaped === written) return getScalarValue(source, event);
  return getScalarValue(escaped, { ...event, valueStart: 0, valueEnd: escaped.length });
}

/** Returns what a sticky pattern matches at a position; '' for nothing. */
export function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

export const breaksIn = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/** The text of a scalar, and the offset in the text of each of its characters and of its end. */
interface ScalarText {
  value: string;
  offsets: readonly number[];
}

export function scalarTextOf(text: string, node: ScalarNode): ScalarText {
  const value = valueText(text, node);
  const isBlock = node.style === 'literal' || node.style === 'folded';
  const offsets = isBlock ? blockOffsets(text, node, value) : lineOffsets(text, node);
  return { value, offsets: Array.from({ length: value.length + 1 }, (_, at) => offsets[at] ?? node.innerEnd) };
}

export const valueText = (text: string, node: ScalarNode): string =>
  isRaw(text, node) ? text.slice(node.innerStart, node.innerEnd) : scalarText(text, eventOf(node));

/** Returns the value of a tree, without incomplete entries and the values of aliases. */
export function treeValue(text: string, node: YamlNode): Value {
  if (node.kind === 'list') return node.items.map(({ value }) => treeValue(text, value));
  if (node.kind === 'map') {
    const map: ValueMap = {};
    for (const { name, complete, value } of node.entries) if (complete) setKey(map, name, treeValue(text, value));
    return map;
  }
  if (node.style === 'empty' || node.style === 'alias') return null;
  const value = valueText(text, node);
  return node.style === 'plain' ? resolvePlain(value) : value;
}

/** Returns a key as Kubernetes reads it; '' for a map or a list. */
export function keyText(text: string, key: ScalarNode): string {
  const { style, tag, target } = key;
  if (style === 'alias' || style === 'complex') return target?.kind === 'scalar' ? keyText(text, target) : '';
  const written = valueText(text, key);
  return style === 'plain' && tag === undefined ? (plainKey(written) ?? written) : written;
}

/** Returns the offset in the text of a character of the value, which lacks escapes, folds and indentation. */
export function textOffset(text: string, node: ScalarNode, offset: number): number {
  if (isRaw(text, node)) return Math.min(node.innerStart + offset, node.innerEnd);
  return scalarTextOf(text, node).offsets[offset] ?? node.innerEnd;
}

/** Returns the offset in the text of an offset of the value. */
export const textOffsetAt = ({ offsets }: ScalarText, at: number): number =>
  offsets[Math.min(at, offsets.length - 1)] as number;

/** Returns the index of the character of the value at an offset of the text. */
export const valueOffsetAt = ({ offsets }: ScalarText, at: number): number =>
  countUpTo(at - 1, offsets.length - 1, (index) => offsets[index] as number);

/** Reports whether the text of a scalar is its value: it is on one line and has no escapes. */
function isRaw(text: string, { style, innerStart, innerEnd }: ScalarNode): boolean {
  if (style === 'literal' || style === 'folded') return false;
  const inner = text.slice(innerStart, innerEnd);
  if (/[\r\n]/.test(inner) || (style === 'double' && inner.includes('\\'))) return false;
  return style !== 'single' || !inner.includes("'");
}

/** The styles of the parser, by our names. */
const STYLES = {
  single: SCALAR_STYLE.SINGLE_QUOTED,
  double: SCALAR_STYLE.DOUBLE_QUOTED,
  literal: SCALAR_STYLE.LITERAL_BLOCK,
  folded: SCALAR_STYLE.FOLDED_BLOCK,
  plain: SCALAR_STYLE.PLAIN,
} as const;
const CHOMPINGS = { '': CHOMPING_MODE.CLIP, '-': CHOMPING_MODE.STRIP, '+': CHOMPING_MODE.KEEP } as const;

const namesOf = <K extends string>(table: Readonly<Record<K, number>>): ReadonlyMap<number, K> =>
  new Map(Object.entries(table).map(([name, value]) => [value as number, name as K]));

const styleNames = namesOf(STYLES);
const chompNames = namesOf(CHOMPINGS);

/** Returns the name of a style of the parser. */
export const styleOf = (style: number): keyof typeof STYLES => styleNames.get(style) ?? 'plain';
/** Returns the indicator of the parser's chomping mode. */
export const chompOf = (chomping: number): keyof typeof CHOMPINGS => chompNames.get(chomping) ?? '';

const eventOf = ({ style, innerStart, innerEnd, indent, chomp }: ScalarNode): ScalarEvent => ({
  type: EVENT_ID.SCALAR,
  valueStart: innerStart,
  valueEnd: innerEnd,
  anchorStart: -1,
  anchorEnd: -1,
  tagStart: -1,
  tagEnd: -1,
  style: style in STYLES ? STYLES[style as keyof typeof STYLES] : SCALAR_STYLE.PLAIN,
  chomping: CHOMPINGS[chomp],
  indent,
  fast: false,
});

/** Returns the offsets of the characters of the value; those at its end may be missing. */
function lineOffsets(text: string, { style, innerStart, innerEnd }: ScalarNode): number[] {
  const inner = text.slice(innerStart, innerEnd);
  const offsets: number[] = [];
  for (let at = 0; at < inner.length; ) {
    const { length, produces, isWritten = false } = pieceAt(inner, at, style);
    for (let index = 0; index < produces; index++) offsets.push(innerStart + at + (isWritten ? index : 0));
    at += length;
  }
  return offsets;
}

/** The lines of a block scalar follow each other in its value, with only spaces and breaks between them. */
function blockOffsets(text: string, { innerStart, innerEnd, indent }: ScalarNode, value: string): number[] {
  const offsets: number[] = [];
  const margin = Math.max(indent, 0);
  let lineStart = innerStart + margin;
  let at = 0;
  for (const [whole, written = ''] of text.slice(innerStart, innerEnd).matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    const line = written.slice(margin);
    if (line !== '') {
      while (at < value.length && !value.startsWith(line, at)) at++;
      while (offsets.length < at) offsets.push(lineStart);
      for (let index = offsets.length - at; index < line.length; index++) offsets.push(lineStart + index);
      at += line.length;
      // The line break.
      offsets.push(lineStart + line.length);
    }
    lineStart += whole.length;
  }
  return offsets;
}

const BLANKS = /[ \t\r\n]+/y;
/** The empty lines after it are line breaks of the value. */
const ESCAPED_BREAK = /\\(?:\r\n?|\n)([ \t\r\n]*)/y;
const HEX = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U([\dA-Fa-f]{8}))/y;

/** A part of a scalar's text: an escape, a folded line break, blanks, or a character. */
interface Piece {
  length: number;
  /** The number of characters of the value. */
  produces: number;
  /** Whether each character of the text is one of the value. */
  isWritten?: boolean;
}

/** Returns the next piece of text with whole characters of the value. */
function pieceAt(text: string, at: number, style: string): Piece {
  const exec = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const char = text[at] as string;
  if (style === 'double' && char === '\\') {
    const skipped = exec(ESCAPED_BREAK);
    if (skipped !== null) return { length: skipped[0].length, produces: breaksIn(skipped[1] as string) };
    const [hex = '', long = ''] = exec(HEX) ?? [];
    return { length: Math.max(hex.length, 2), produces: Number.parseInt(long, 16) > 0xffff ? 2 : 1 };
  }
  if (style === 'single' && char === "'") return { length: 2, produces: 1 };
  const [blanks] = exec(BLANKS) ?? [];
  if (blanks === undefined) return { length: 1, produces: 1 };
  const breaks = breaksIn(blanks);
  if (breaks === 0) return { length: blanks.length, produces: blanks.length, isWritten: true };
  return { length: blanks.length, produces: breaks === 1 ? 1 : breaks - 1 };
}
