import { packed } from '../../../../core/encoding/base64.ts';
import { utf8 } from '../../../../core/text/utf8.ts';
import { goQuote } from '../../text/quote.ts';
import { failure, rephrased } from '../../value/values.ts';
import { parseAddress } from './ip-address.ts';

/** URLs as Go's net/url parses them (ParseRequestURI to check, Parse to split). All parts are byte strings. */

const emptyUrl = () => ({
  scheme: '',
  /** The text after the scheme if it does not begin with a slash: `mailto:a@b`. */
  opaque: '',
  user: undefined as string | undefined,
  host: '',
  /** There is a scheme and a path but no `//`: `file:/etc`. */
  hostOmitted: false,
  /** As written, decoded only for validation. */
  path: '',
  query: '',
  /** The `?` was written without a query. */
  emptyQuery: false,
  fragment: '',
});
export type Url = ReturnType<typeof emptyUrl>;

/** Parses an absolute URL or path. @throws EvaluationError (failure) with Go's message */
export function parseUrl(text: string): Url {
  const bytes = toBytes(text);
  wrapped(bytes, () => parse(bytes, true));
  // As in the API server: validated with the fragment as part of path or query, then split without it.
  return parseReference(bytes);
}

/** @throws EvaluationError (failure) unless the text is an absolute URL or path */
export function checkUrl(text: string): void {
  const bytes = toBytes(text);
  wrapped(bytes, () => parse(bytes, true));
}

/**
 * Parses any URL, including relative ones, as Go's url.Parse does.
 * @param bytes one character for each byte
 * @throws EvaluationError (failure) with Go's message
 */
export function parseReference(bytes: string): Url {
  const hash = bytes.indexOf('#');
  const body = hash < 0 ? bytes : bytes.slice(0, hash);
  const url = wrapped(body, () => parse(body, false));
  const fragment = hash < 0 ? '' : bytes.slice(hash + 1);
  wrapped(bytes, () => unescapePart(fragment, 'fragment'));
  return { ...url, fragment };
}

const wrapped = <T>(bytes: string, read: () => T): T =>
  rephrased(read, (message) => `parse ${goQuote(fromBytes(bytes))}: ${message}`);

function parse(bytes: string, absolute: boolean): Url {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\x00-\x1f\x7f]/.test(bytes)) throw failure('net/url: invalid control character in URL');
  if (bytes === '' && absolute) throw failure('empty url');
  const { scheme, rest: afterScheme } = cutScheme(bytes);
  const mark = afterScheme.indexOf('?');
  const query = mark < 0 ? '' : afterScheme.slice(mark + 1);
  const rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  const url: Url = { ...emptyUrl(), scheme, query, emptyQuery: mark >= 0 && query === '' };
  if (bytes === '*') return { ...url, path: '*' };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if (absolute) throw failure('invalid URI for request');
    if (rest.split('/')[0]?.includes(':')) throw failure('first path segment in URL cannot contain colon');
  }
  const hasHost = rest.startsWith('//') && (scheme !== '' || (!absolute && !rest.startsWith('///')));
  if (!hasHost) return { ...url, hostOmitted: scheme !== '' && rest.startsWith('/'), path: checkedPath(rest) };
  const slash = rest.indexOf('/', 2);
  const authority = parseAuthority(scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
  return { ...url, ...authority, path: slash < 0 ? '' : checkedPath(rest.slice(slash)) };
}

function checkedPath(path: string): string {
  unescapePart(path, 'path');
  return path;
}

function cutScheme(bytes: string): { scheme: string; rest: string } {
  if (bytes.startsWith(':')) throw failure('missing protocol scheme');
  const written = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(bytes)?.[1] ?? '';
  return written === ''
    ? { scheme: '', rest: bytes }
    : { scheme: written.toLowerCase(), rest: bytes.slice(written.length + 1) };
}

function parseAuthority(scheme: string, authority: string): { user: string | undefined; host: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const written = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(written)) throw failure('net/url: invalid userinfo');
  const colon = written.indexOf(':');
  const parts = colon < 0 ? [written] : [written.slice(0, colon), written.slice(colon + 1)];
  return { user: parts.map((part) => escapePart(unescapePart(part, 'userinfo'), 'userinfo')).join(':'), host };
}

function parseHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw failure('invalid IP-literal');
  if (bracket === 0) return parseLiteral(host);
  // Only hosts of http and https are limited to one colon; databases list several hosts with ports.
  const strict = scheme === 'http' || scheme === 'https';
  const colon = strict ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapePart(host, 'host');
}

/** `[::1]:80`, with the zone after `%25`. */
function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw failure("missing ']' in host");
  checkPort(host.slice(close + 1));
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address =
    zone < 0
      ? unescapePart(name, 'host')
      : unescapePart(name.slice(0, zone), 'host') + unescapePart(name.slice(zone), 'zone');
  if (familyOf(fromBytes(address)) === 4) throw failure('invalid IP-literal');
  return `[${address}]${unescapePart(host.slice(close + 1), 'host')}`;
}

const familyOf = (address: string): 4 | 6 =>
  rephrased(
    () => parseAddress(address).family,
    (message) => `invalid host: ${message}`,
  );

const isPort = (port: string): boolean => /^(:[0-9]*)?$/.test(port);

function checkPort(port: string): void {
  if (!isPort(port)) throw failure(`invalid port ${goQuote(fromBytes(port))} after host`);
}

/** Returns the host without brackets, and the port; both '' if there are none. */
export function splitHost(host: string): { name: string; port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return { name: /^\[.*\]$/s.test(name) ? name.slice(1, -1) : name, port: hasPort ? host.slice(colon + 1) : '' };
}

/** Returns a path or fragment in escaped form: as written if that is valid, else escaped again. */
export function escaped(written: string, part: UrlPart): string {
  if (written === '*' || isWellEscaped(written, part)) return written;
  return escapePart(unescapePart(written, part), part);
}

/** Returns the text of the URL; equal URLs have equal texts. */
export function urlText(url: Url): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const query = url.query !== '' || url.emptyQuery ? `?${url.query}` : '';
  const fragment = url.fragment === '' ? '' : `#${escaped(url.fragment, 'fragment')}`;
  if (url.opaque !== '') return scheme + url.opaque + query + fragment;
  const path = escaped(url.path, 'path');
  return scheme + authorityText(url) + path + query + fragment;
}

function authorityText({ scheme, user, host, hostOmitted, path }: Url): string {
  if (scheme === '' && host === '' && user === undefined) return '';
  if (hostOmitted && host === '' && user === undefined) return '';
  const slashes = host !== '' || path !== '' || user !== undefined ? '//' : '';
  return slashes + (user === undefined ? '' : `${user}@`) + escapePart(host, 'host');
}

/**
 * Percent-encoding as in Go's net/url, by part of a URL. Texts here are byte strings: one character per UTF-8 byte,
 * because escapes are bytes.
 */

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
const toBytes = (text: string): string => packed(utf8(text));

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
function isWellEscaped(bytes: string, part: UrlPart): boolean {
  return [...bytes].every((char) => "!$&'()*+,;=:@[]%".includes(char) || PLAIN[part].test(char));
}
