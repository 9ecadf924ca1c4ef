import { attempt } from '../../../core/model/attempt.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { byteLength } from '../../../core/text/utf8.ts';
import { checkUrl, EvaluationError, parseIpAddress } from '../../../languages/cel/index.ts';

/** Reports one mail address as Go's mail.ParseAddress parses it: `a@b`, `Name <a@b>`, a group of one, with comments. */
export function isEmail(text: string): boolean {
  const reader: Reader = { text, at: 0 };
  const count = addressCount(reader, true);
  return count === 1 && skipComments(reader) && reader.at === text.length;
}

interface Reader {
  readonly text: string;
  at: number;
}

const ATOM = /(?:[!#$%&'*+\-./0-9=?A-Z^_`a-z{|}~]|[^\0-\x7f])+/uy;
const QUOTED = /"((?:[ \t!#-[\]-~]|[^\0-\x7f]|\\(?:[ -~\t]|[^\0-\x7f]))*)"/uy;
const LITERAL = /\[([!-Z^-~]*)\]/y;
const SPACE = /[ \t]*/y;

/** Returns the first group of a match here, or all of it; `undefined` without a match. */
function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found[1] ?? found[0];
}

const peek = ({ text, at }: Reader): string => text[at] ?? '';

function consume(reader: Reader, character: string): boolean {
  if (peek(reader) !== character) return false;
  reader.at += 1;
  return true;
}

/** Returns the number of addresses in an address or a group; `undefined` for other texts. */
function addressCount(reader: Reader, mayBeGroup: boolean): number | undefined {
  take(reader, SPACE);
  if (peek(reader) === '') return undefined;
  if (plainAddress(reader)) {
    take(reader, SPACE);
    return peek(reader) !== '(' || comment(reader) ? 1 : undefined;
  }
  if (peek(reader) !== '<' && !phrase(reader)) return undefined;
  take(reader, SPACE);
  if (mayBeGroup && consume(reader, ':')) return groupCount(reader);
  return consume(reader, '<') && plainAddress(reader) && consume(reader, '>') ? 1 : undefined;
}

function groupCount(reader: Reader): number | undefined {
  take(reader, SPACE);
  if (consume(reader, ';')) return skipComments(reader) ? 0 : undefined;
  for (let count = 1; ; count += 1) {
    if (addressCount(reader, false) === undefined || !skipComments(reader)) return undefined;
    if (consume(reader, ';')) return skipComments(reader) ? count : undefined;
    if (!consume(reader, ',')) return undefined;
  }
}

/** Parses `local@domain`; other text is not consumed. */
function plainAddress(reader: Reader): boolean {
  const before = reader.at;
  take(reader, SPACE);
  const local = peek(reader) === '"' ? (take(reader, QUOTED) ?? '') !== '' : isDotAtom(take(reader, ATOM));
  if (local && consume(reader, '@') && domain(reader)) return true;
  reader.at = before;
  return false;
}

function domain(reader: Reader): boolean {
  take(reader, SPACE);
  if (peek(reader) !== '[') return isDotAtom(take(reader, ATOM));
  const literal = take(reader, LITERAL);
  return literal !== undefined && (isIpv6(literal) || isDottedQuad(literal));
}

const isDottedQuad = (text: string): boolean =>
  /^(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}$/.test(text) &&
  text.split('.').every((part) => Number(part) <= 255);

const isDotAtom = (atom: string | undefined): boolean => atom !== undefined && !/^\.|\.\.|\.$/.test(atom);

/** Parses words; an empty encoded word is invalid, and one of another character set ends them. */
function phrase(reader: Reader): boolean {
  let words = 0;
  let isEncoded = false;
  for (;;) {
    if (words > 0 && !skipComments(reader)) return false;
    take(reader, SPACE);
    if (peek(reader) === '') return true;
    const isQuoted = peek(reader) === '"';
    const word = take(reader, isQuoted ? QUOTED : ATOM);
    const encoded = isQuoted || word === undefined ? undefined : encodedWord(word);
    if (word === undefined || encoded === 'unreadable') return words > 0 || isEncoded;
    if (encoded === undefined) {
      words += 1;
      isEncoded = false;
    } else isEncoded ||= encoded !== 'empty';
  }
}

const QUOTED_PRINTABLE = /^(?:=[0-9A-Fa-f]{2}|[!-<>-~])*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Parses `=?utf-8?q?text?=` (RFC 2047); returns `undefined` for a word that is not encoded. */
function encodedWord(word: string): 'empty' | 'readable' | 'unreadable' | undefined {
  const [, charset = '', encoding = '', content = ''] = /^=\?([^?]+)\?([qb])\?([^?]*)\?=$/i.exec(word) ?? [];
  const pattern = encoding.toLowerCase() === 'q' ? QUOTED_PRINTABLE : BASE64;
  if (charset === '' || !pattern.test(content)) return undefined;
  if (!['utf-8', 'iso-8859-1', 'us-ascii'].includes(charset.toLowerCase())) return 'unreadable';
  return content === '' ? 'empty' : 'readable';
}

function skipComments(reader: Reader): boolean {
  take(reader, SPACE);
  while (peek(reader) === '(') {
    if (!comment(reader)) return false;
    take(reader, SPACE);
  }
  return true;
}

/** Parses `(...)`, including nested comments. */
function comment(reader: Reader): boolean {
  let depth = 0;
  while (reader.at < reader.text.length) {
    const character = peek(reader);
    reader.at += character === '\\' && reader.at + 1 < reader.text.length ? 2 : 1;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return true;
  }
  return false;
}

/** Reports whether a text is an absolute URI or path, as Go's url.ParseRequestURI parses it. */
export const isUri = (text: string): boolean => attempt(() => checkUrl(text) ?? true, EvaluationError) ?? false;

/** Returns 4 or 6; `undefined` for a text that is not an IP address. Go's net.ParseIP rejects zones. */
function familyOf(text: string): 4 | 6 | undefined {
  const address = attempt(() => parseIpAddress(text), EvaluationError);
  return address?.zone === '' ? address.family : undefined;
}

/** Removes leading zeros, which older releases of Go ignored, and Kubernetes still does in these two formats. */
const withoutZeros = (text: string): string => text.replace(/(^|[.:])0+(?=[0-9a-fA-F])/g, '$1');

/** An IPv6 address with an IPv4 one at its end matches too. */
export const isIpv4 = (text: string): boolean => text.includes('.') && familyOf(withoutZeros(text)) !== undefined;

export const isIpv6 = (text: string): boolean => text.includes(':') && familyOf(text) !== undefined;

export function isCidr(text: string): boolean {
  const [, address = '', prefix = ''] = /^([^/]*)\/([0-9]+)$/.exec(text) ?? [];
  const family = familyOf(withoutZeros(address));
  return family !== undefined && Number(prefix) <= (family === 4 ? 32 : 128);
}

const OCTETS = [6, 8, 20];
const PAIRS = /^[0-9a-f]{2}(?:(?::[0-9a-f]{2})+|(?:-[0-9a-f]{2})+|(?:[0-9a-f]{2})+)$/i;
const QUADS = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i;

/** Reports six, eight or twenty octets, as Go's net.ParseMAC parses them. */
export const isMac = (text: string): boolean =>
  (PAIRS.test(text) || QUADS.test(text)) && OCTETS.includes(text.replace(/[:.-]/g, '').length / 2);

const CHARACTER = 'a-zA-Z0-9\\p{S}\\p{L}';
const SINGLE = `[${CHARACTER}](?:-?[${CHARACTER}]{0,62})?`;
const LABEL = `[${CHARACTER}](?:[${CHARACTER}\\-]{0,61}[${CHARACTER}])?`;
const HOSTNAME = `^(?:${SINGLE}|(?:${LABEL}\\.)+[a-zA-Z\\p{L}]{2,63})$`;
/** It takes half a millisecond to compile, which most starts do not need. */
const hostname = lazily(() => new RegExp(HOSTNAME, 'u'));

/** Symbols and letters of any script are accepted; lengths count bytes. */
export function isHostname(text: string): boolean {
  return byteLength(text) <= 255 && hostname().test(text) && text.split('.').every((label) => byteLength(label) <= 63);
}
