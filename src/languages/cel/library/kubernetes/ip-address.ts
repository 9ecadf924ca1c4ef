/** IP addresses as Go's net/netip reads and writes them. */

import { goQuote } from '../../text/quote.ts';
import { failure } from '../../value/values.ts';

export interface Address {
  /** 4 or 6. */
  family: 4 | 6;
  bits: bigint;
  zone: string;
}

export const bitLength = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/** Reports whether an IPv6 address contains an IPv4 one: ::ffff:1.2.3.4. */
export const isMapped = ({ family, bits }: Address): boolean => family === 6 && bits >> 32n === 0xffffn;

/** @throws EvaluationError (failure) */
export function parseAddress(text: string): Address {
  const fault = (why: string, at = ''): Error =>
    failure(`ParseAddr(${goQuote(text)}): ${why}${at === '' ? '' : ` (at ${goQuote(at)})`}`);
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.':
      return { family: 4, bits: parseIPv4(text, fault), zone: '' };
    case ':':
      return parseIPv6(text, fault);
    case '%':
      throw fault('missing IPv6 address');
    default:
      throw fault('unable to parse IP');
  }
}

type CreateError = (why: string, at?: string) => Error;

function parseIPv4(text: string, fault: CreateError): bigint {
  const unexpected = text.search(/[^0-9.]/);
  const fields = text.split('.');
  let at = 0;
  let bits = 0n;
  fields.forEach((field, index) => {
    const digits = /^[0-9]*/.exec(field)?.[0] ?? '';
    if (/^0[0-9]/.test(digits)) throw fault('IPv4 field has octet with leading zero');
    if (Number(digits) > 255) throw fault('IPv4 field has value >255');
    if (digits.length < field.length) throw fault('unexpected character', text.slice(unexpected));
    if (field === '') {
      // Go reports the position of the dot after the missing digits, or of the last one.
      throw fault('IPv4 field must have at least one digit', text.slice(index === fields.length - 1 ? at - 1 : at));
    }
    if (index === 4) throw fault('IPv4 address too long');
    bits = (bits << 8n) | BigInt(digits);
    at += field.length + 1;
  });
  if (fields.length < 4) throw fault('IPv4 address too short');
  return bits;
}

function parseIPv6(text: string, fault: CreateError): Address {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw fault('zone must be a non-empty string');
  const address = percent < 0 ? text : text.slice(0, percent);
  const { groups, gap } = readGroups(address, fault);
  if (gap < 0 && groups.length < 8) throw fault('address string too short');
  if (gap >= 0 && groups.length === 8) throw fault('the :: must expand to at least one field of zeros');
  const zeros = Array.from({ length: 8 - groups.length }, () => 0);
  const all = gap < 0 ? groups : [...groups.slice(0, gap), ...zeros, ...groups.slice(gap)];
  return { family: 6, bits: all.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n), zone };
}

/** Returns the 16-bit groups and the index of `::` among them (-1: none). */
function readGroups(address: string, fault: CreateError): { groups: number[]; gap: number } {
  const groups: number[] = [];
  let gap = address.startsWith('::') ? 0 : -1;
  let rest = gap === 0 ? address.slice(2) : address;
  if (gap === 0 && rest === '') return { groups, gap };
  while (groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) throw fault('each group must have 4 or less digits', rest);
    if (digits === '') throw fault('each colon-separated field must have at least one digit', rest);
    if (rest[digits.length] === '.') return { groups: [...groups, ...embedded(rest, groups.length, gap, fault)], gap };
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') return { groups, gap };
    if (rest[0] !== ':') throw fault('unexpected character, want colon', rest);
    if (rest.length === 1) throw fault('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] !== ':') continue;
    if (gap >= 0) throw fault('multiple :: in address', rest);
    gap = groups.length;
    rest = rest.slice(1);
    if (rest === '') return { groups, gap };
  }
  throw fault('trailing garbage after address', rest);
}

/** Parses an IPv4 address at the end of an IPv6 one, as two groups. */
function embedded(rest: string, before: number, gap: number, fault: CreateError): number[] {
  if (gap < 0 && before !== 6) {
    throw fault('embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (before > 6) throw fault('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const bits = Number(parseIPv4(rest, fault));
  return [Math.floor(bits / 65536), bits % 65536];
}

/** Returns the canonical text (RFC 5952): lower case, the first longest run of two or more zero groups as `::`. */
export function addressText({ family, bits, zone }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bits >> BigInt(112 - index * 16)) & 0xffffn);
  const [start, length] = longestZeros(groups);
  const written = (part: bigint[]): string => part.map((group) => group.toString(16)).join(':');
  const text =
    length < 2 ? written(groups) : `${written(groups.slice(0, start))}::${written(groups.slice(start + length))}`;
  return zone === '' ? text : `${text}%${zone}`;
}

function longestZeros(groups: readonly bigint[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let length = 0;
  groups.forEach((group, index) => {
    length = group === 0n ? length + 1 : 0;
    if (length > best[1]) best = [index - length + 1, length];
  });
  return best;
}
