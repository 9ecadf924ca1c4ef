import { attempt } from '../../../core/model/attempt.ts';
import { MAX_NESTING } from '../../../core/model/limits.ts';
import { jsonFloat } from '../../../core/text/float.ts';
import { goJsonString } from '../../../core/text/go-text.ts';
import { fromBytes, fromBytesWithHalves, toBytes } from '../bytes.ts';
import { FunctionError } from '../fault.ts';
import { timeJson } from '../values/times.ts';
import { GoList, GoMap, GoTime, type GoValue, integerOf, list, map, sizeOf, sortedEntries } from '../values/values.ts';
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
  if (!(value instanceof GoList || value instanceof GoMap)) return String(integerOf(value) ?? 'null');
  if (value.isNil) return 'null';
  const inner = (item: GoValue): string => writeJson(item, style, depth + 1);
  if (value instanceof GoList) return wrapped('[', value.items.map(inner), ']', style, depth);
  const colon = style.indent ? ': ' : ':';
  const entries = sortedEntries(value).map(([key, item]) => jsonString(key, style.html) + colon + inner(item));
  return wrapped('{', entries, '}', style, depth);
}

function wrapped(open: string, parts: readonly string[], close: string, { indent }: Style, depth: number): string {
  if (!indent || parts.length === 0) return open + parts.join(',') + close;
  const padding = '  '.repeat(depth);
  return `${open}\n${padding}  ${parts.join(`,\n${padding}  `)}\n${padding}${close}`;
}

/** Writes a quoted string; invalid UTF-8 is escaped. */
const jsonString = (bytes: string, html: boolean): string =>
  `"${fromBytesWithHalves(bytes)
    .split(/\p{Surrogate}/u)
    .map((part) => toBytes(goJsonString(part, html).slice(1, -1)))
    .join('\\ufffd')}"`;

/** Parses JSON as Go does; what cannot be parsed is null, unless it `fails`. */
const reader = (fails: boolean) =>
  fixed(['string'], (text, meter) => {
    meter.spendItems(text.length / 3);
    const parsed = attempt<unknown>(() => JSON.parse(fromBytes(text)), SyntaxError);
    if (parsed === undefined && fails) throw fail('the text is not valid JSON');
    return fromJson(parsed ?? null, fails, 0);
  });

function fromJson(value: unknown, fails: boolean, depth: number): GoValue {
  if (depth > MAX_NESTING) throw fail(`values are nested more than ${MAX_NESTING} deep`);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return toBytes(value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    if (fails) throw fail('json: cannot unmarshal number into Go value of type float64');
    return null;
  }
  if (Array.isArray(value)) return list(value.map((item) => fromJson(item, fails, depth + 1)));
  const entries = Object.entries(value as Record<string, unknown>);
  return map(entries.map(([key, item]) => [toBytes(key), fromJson(item, fails, depth + 1)] as const));
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
  fromJson: reader(false),
  mustFromJson: reader(true),
};
