import { utf8 } from '../../../../core/text/utf8.ts';
/**
 * Percent-encoding as in Go's net/url, by part of a URL. Texts here are byte strings: one character per UTF-8 byte,
 * because escapes are bytes.
 */

import { goQuote } from '../../text/quote.ts';
import { failure } from '../../value/values.ts';

export type UrlPart = 'path' | 'host' | 'zone' | 'userinfo' | 'query' | 'fragment';

const UNRESERVED = 'A-Za-z0-9\\-_.~';
const HOST = `${UNRESERVED}!$&'()*+,;=:[\\]<>"`;

/** The unescaped characters of each part. */
const PLAIN: Record<UrlPart, RegExp> = {
  path: new RegExp(`^[${UNRESERVED}$&+,/:;=@]$`),
  host: new RegExp(`^[${HOST}]$`),
  zone: new RegExp(`^[${HOST}]$`),
  userinfo: new RegExp(`^[${UNRESERVED}$&+,;=]$`),
  query: new RegExp(`^[${UNRESERVED}]$`),
  fragment: new RegExp(`^[${UNRESERVED}$&+,/:;=?@!()*]$`),
};

/** The text as UTF-8 bytes, one character each. */
export function toBytes(text: string): string {
  let bytes = '';
  for (const byte of utf8(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

export function fromBytes(bytes: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

/** @throws EvaluationError (failure) for a malformed escape, and for invalid characters of a host */
export function unescapePart(bytes: string, part: UrlPart): string {
  const isHost = part === 'host' || part === 'zone';
  return bytes.replace(/%(?:[0-9a-fA-F]{2})?|[^%]/gs, (found, at: number) => {
    if (found === '%') throw escapeFault(bytes.slice(at, at + 3));
    if (found.length === 3) return unescapeByte(found, part);
    if (isHost && found < '\x80' && !PLAIN[part].test(found)) {
      throw failure(`invalid character ${goQuote(found)} in host name`);
    }
    return found === '+' && part === 'query' ? ' ' : found;
  });
}

/** In hosts only bytes beyond ASCII may be escaped; in zones also characters of hosts, and spaces. */
function unescapeByte(written: string, part: UrlPart): string {
  const char = String.fromCharCode(Number.parseInt(written.slice(1), 16));
  if (part === 'host' && char < '\x80' && written !== '%25') throw escapeFault(written);
  if (part === 'zone' && written !== '%25' && char !== ' ' && !PLAIN.host.test(char)) throw escapeFault(written);
  return char;
}

const escapeFault = (written: string): Error => failure(`invalid URL escape ${goQuote(fromBytes(written))}`);

export function escapePart(bytes: string, part: UrlPart): string {
  return bytes.replace(/[^A-Za-z0-9]/g, (char) => (PLAIN[part].test(char) ? char : percent(char)));
}

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Reports whether a path or fragment needs no escape. */
export function isWellEscaped(bytes: string, part: UrlPart): boolean {
  return [...bytes].every((char) => "!$&'()*+,;=:@[]%".includes(char) || PLAIN[part].test(char));
}
