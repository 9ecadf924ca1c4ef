import { encodeBase64 } from '../../../core/encoding/base64.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { MAX_NESTING } from '../../../core/model/limits.ts';
import { jsonFloat } from '../../../core/text/float.ts';
import { goJsonString } from '../../../core/text/go-text.ts';
import { fromBytes, isUtf8, REPLACEMENT, runeAt, toBytes } from '../bytes.ts';
import { FunctionError } from '../fault.ts';
import { timeJson } from '../values/times.ts';
import { GoList, GoMap, GoTime, type GoValue, integerOf, list, map, sizeOf, sortedKeys } from '../values/values.ts';
import { type FunctionTable, fail, fixed } from './define.ts';

interface Style {
  /** Whether `<`, `>` and `&` are escaped. */
  html: boolean;
  indent: boolean;
}

/** Writes JSON as Go's encoding/json does. @throws FunctionError for a value that JSON cannot represent */
function writeJson(value: GoValue, style: Style, depth = 0): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return jsonString(value, style.html);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw fail(`json: unsupported value: ${value}`);
    return jsonFloat(value);
  }
  if (value instanceof GoTime) return `"${timeJson(value)}"`;
  if (value instanceof GoList) return jsonList(value, style, depth);
  if (value instanceof GoMap) return jsonMap(value, style, depth);
  return String(integerOf(value) ?? 'null');
}

function jsonList(value: GoList, style: Style, depth: number): string {
  if (value.isNil) return 'null';
  if (value.element === 'uint8') {
    return `"${encodeBase64(Uint8Array.from(value.items, (item) => Number(integerOf(item))))}"`;
  }
  return wrapped(
    '[',
    value.items.map((item) => writeJson(item, style, depth + 1)),
    ']',
    style,
    depth,
  );
}

function jsonMap(value: GoMap, style: Style, depth: number): string {
  if (value.isNil) return 'null';
  const colon = style.indent ? ': ' : ':';
  const entries = sortedKeys(value.entries).map(
    (key) => jsonString(key, style.html) + colon + writeJson(value.entries.get(key) ?? null, style, depth + 1),
  );
  return wrapped('{', entries, '}', style, depth);
}

function wrapped(open: string, parts: readonly string[], close: string, { indent }: Style, depth: number): string {
  if (!indent || parts.length === 0) return open + parts.join(',') + close;
  const padding = '  '.repeat(depth);
  return `${open}\n${padding}  ${parts.join(`,\n${padding}  `)}\n${padding}${close}`;
}

/** Writes a quoted string; invalid UTF-8 is escaped. */
function jsonString(bytes: string, html: boolean): string {
  if (isUtf8(bytes)) return `"${escaped(bytes, html)}"`;
  let out = '';
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const { rune, width } = runeAt(bytes, at);
    if (rune === REPLACEMENT && width === 1) {
      out += `${escaped(bytes.slice(start, at), html)}\\ufffd`;
      start = at + 1;
    }
    at += width;
  }
  return `"${out}${escaped(bytes.slice(start), html)}"`;
}

const escaped = (bytes: string, html: boolean): string => toBytes(goJsonString(fromBytes(bytes), html).slice(1, -1));

/** Parses JSON as Go does. @returns what could be parsed, and whether it is complete */
function readJson(text: string): { value: GoValue; fault?: string } {
  const parsed = attempt<unknown>(() => JSON.parse(fromBytes(text)), SyntaxError);
  if (parsed === undefined) return { value: null, fault: 'the text is not valid JSON' };
  const faults: string[] = [];
  const value = fromJson(parsed, faults, 0);
  return faults[0] === undefined ? { value } : { value, fault: faults[0] };
}

function fromJson(value: unknown, faults: string[], depth: number): GoValue {
  if (depth > MAX_NESTING) throw fail(`values are nested more than ${MAX_NESTING} deep`);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return toBytes(value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    faults.push('json: cannot unmarshal number into Go value of type float64');
    return null;
  }
  if (Array.isArray(value)) return list(value.map((item) => fromJson(item, faults, depth + 1)));
  const entries = Object.entries(value as Record<string, unknown>);
  return map(entries.map(([key, item]) => [toBytes(key), fromJson(item, faults, depth + 1)] as const));
}

/** Escapes take up to six characters for one. */
const ESCAPED = 6;

const writer = (style: Style, onFault: 'fail' | 'empty') =>
  fixed(['any'], (value, meter) => {
    meter.spendBytes(sizeOf(value) * (style.indent ? 2 * ESCAPED : ESCAPED));
    return onFault === 'fail' ? writeJson(value, style) : (attempt(() => writeJson(value, style), FunctionError) ?? '');
  });

const compact: Style = { html: true, indent: false };
const pretty: Style = { html: true, indent: true };
const raw: Style = { html: false, indent: false };

export const jsonFunctions: FunctionTable = {
  toJson: writer(compact, 'empty'),
  mustToJson: writer(compact, 'fail'),
  toPrettyJson: writer(pretty, 'empty'),
  mustToPrettyJson: writer(pretty, 'fail'),
  toRawJson: writer(raw, 'fail'),
  mustToRawJson: writer(raw, 'fail'),
  fromJson: fixed(['string'], (text, meter) => {
    meter.spendItems(text.length / 3);
    return readJson(text).value;
  }),
  mustFromJson: fixed(['string'], (text, meter) => {
    meter.spendItems(text.length / 3);
    const { value, fault } = readJson(text);
    if (fault !== undefined) throw fail(fault);
    return value;
  }),
};
