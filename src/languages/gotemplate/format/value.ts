import { ownValue } from '../../../core/model/value.ts';
import { timeText, wordOf } from '../values/times.ts';
import {
  GoInt,
  type GoList,
  GoMap,
  GoTime,
  type GoValue,
  NilInterface,
  sortedEntries,
  typeName,
} from '../values/values.ts';
import {
  canBackquote,
  type Flags,
  formatCharacter,
  formatFloatVerb,
  formatInteger,
  formatQuotedCharacter,
  formatUnicode,
  noFlags,
  pad,
  quote,
  truncate,
} from './numbers.ts';

const NIL = '<nil>';

/** Formats a value as %v. */
export function display(value: GoValue): string {
  if (typeof value === 'string') return value;
  if (value instanceof GoInt && value.kind === 'int') return String(value.value);
  return formatValue(value, 'v', noFlags(), 0);
}

/** Formats a value as a verb of Printf; `depth` is 0 outside of lists and maps. */
export function formatValue(value: GoValue, verb: string, flags: Flags, depth = 0): string {
  if (value === null || value instanceof NilInterface) return formatNil(verb, flags, depth);
  if (depth === 0 && verb === 'T') return formatText(typeName(value), 's', flags);
  if (depth === 0 && verb === 'p') return badVerb(verb, value, flags);
  if (typeof value === 'boolean') {
    return verb === 't' || verb === 'v' ? pad(String(value), flags) : badVerb(verb, value, flags);
  }
  if (typeof value === 'number') return formatNumber(value, verb, flags);
  if (typeof value === 'bigint') return formatInt(value, value, verb, flags);
  if (typeof value === 'string') return formatText(value, verb, flags);
  if (value instanceof GoInt || value instanceof GoTime) {
    const word = value instanceof GoTime ? timeText(value) : flags.sharpV ? undefined : wordOf(value);
    if (word !== undefined && /^[vsxXq]$/.test(verb)) return formatText(word, verb, flags);
    return value instanceof GoInt ? formatInt(value.value, value, verb, flags) : badVerb(verb, value, flags);
  }
  return formatItems(value, verb, flags, depth);
}

function formatNil(verb: string, flags: Flags, depth: number): string {
  if (depth > 0 && flags.sharpV) return 'interface {}(nil)';
  if (depth > 0) return NIL;
  if (verb === 'T' || verb === 'v') return pad(NIL, flags);
  return `%!${verb}(${NIL})`;
}

function badVerb(verb: string, value: GoValue, flags: Flags): string {
  return `%!${verb}(${typeName(value)}=${formatValue(value, 'v', flags)})`;
}

function formatNumber(value: number, verb: string, flags: Flags): string {
  if (verb === 'v' && flags.sharpV) return formatFloatVerb(value, 'g', flags);
  return /^[bvegEGfFxX]$/.test(verb) ? formatFloatVerb(value, verb, flags) : badVerb(verb, value, flags);
}

const BASES: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

function formatInt(value: bigint, whole: GoValue, verb: string, flags: Flags): string {
  const isByte = flags.sharpV && whole instanceof GoInt && whole.kind === 'uint8';
  if (isByte && (verb === 'v' || verb === 'd')) return formatInteger(value, 16, 'x', { ...flags, sharp: true });
  const base = ownValue(BASES, verb);
  if (base !== undefined) return formatInteger(value, base, verb, flags, verb === 'X');
  if (verb === 'c') return formatCharacter(value, flags);
  if (verb === 'q') return formatQuotedCharacter(value, flags);
  return verb === 'U' ? formatUnicode(value, flags) : badVerb(verb, whole, flags);
}

/** Formats a string as %s, %q, %x and %X. */
function formatText(text: string, verb: string, flags: Flags): string {
  if (verb === 'q' || (verb === 'v' && flags.sharpV)) return formatQuoted(text, flags);
  if (verb === 's' || verb === 'v') return pad(truncate(text, flags), flags);
  return verb === 'x' || verb === 'X' ? formatHex(text, verb === 'X', flags) : badVerb(verb, text, flags);
}

function formatQuoted(text: string, flags: Flags): string {
  const cut = truncate(text, flags);
  if (flags.sharp && canBackquote(cut)) return pad(`\`${cut}\``, flags);
  return pad(quote(cut, flags.plus), flags);
}

function formatHex(text: string, upper: boolean, flags: Flags): string {
  const cut = flags.precision === undefined ? text : text.slice(0, flags.precision);
  const bytes = Array.from(cut, (char) => char.charCodeAt(0).toString(16).padStart(2, '0'));
  const prefix = flags.sharp ? '0x' : '';
  let out = prefix + bytes.join(flags.space ? ` ${prefix}` : '');
  if (bytes.length === 0) out = '';
  return pad(upper ? out.toUpperCase() : out, flags);
}

function formatItems(value: GoMap | GoList, verb: string, flags: Flags, depth: number): string {
  if (flags.sharpV && value.isNil) return `${typeName(value)}(nil)`;
  const inner = (item: GoValue): string => formatValue(item, verb, flags, depth + 1);
  const items =
    value instanceof GoMap
      ? sortedEntries(value).map(([key, item]) => `${inner(key)}:${inner(item)}`)
      : value.items.map(inner);
  if (flags.sharpV) return `${typeName(value)}{${items.join(', ')}}`;
  return `${value instanceof GoMap ? 'map' : ''}[${items.join(' ')}]`;
}
