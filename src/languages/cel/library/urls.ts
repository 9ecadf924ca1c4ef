/** URLs as Go's net/url parses them (ParseRequestURI to check, Parse to split). All parts are byte strings. */
import { packed } from '../../../core/encoding/base64.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import { cut, goQuote } from '../../../core/text/go-text.ts';
import { utf8 } from '../../../core/text/utf8.ts';
import { fn, type Library, method, type Overload } from '../library.ts';
import { BOOL, listOf, mapOf, STRING } from '../types.ts';
import { attemptWork, recordFrom } from '../value/order.ts';
import { type CelRecord, EvaluationError, failure, ownType, prefixed, succeeds } from '../value/values.ts';
import { parseAddress } from './ip.ts';

/** The parts of a URL. */
export interface Url {
  scheme: string;
  /** The text after the scheme if it does not begin with a slash: `mailto:a@b`. */
  opaque: string;
  user: string | undefined;
  host: string;
  /** There is a scheme and a path but no `//`: `file:/etc`. */
  hostOmitted: boolean;
  /** As written, decoded only for validation. */
  path: string;
  query: string;
  /** The `?` was written without a query. */
  emptyQuery: boolean;
  fragment: string;
}

const emptyUrl = (): Url => ({
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  hostOmitted: false,
  path: '',
  query: '',
  emptyQuery: false,
  fragment: '',
});

/** @throws EvaluationError (failure) unless the text is an absolute URL or path */
export function checkUrl(text: string): void {
  const bytes = toBytes(text);
  wrapped(bytes, () => parse(bytes, true));
}

/** Parses any URL, one character for each byte, as Go's url.Parse. @throws EvaluationError (failure) */
export function parseReference(bytes: string): Url {
  const [body, fragment = ''] = cut(bytes, '#');
  const url = wrapped(body, () => parse(body, false));
  wrapped(bytes, () => unescapePart(fragment, 'fragment'));
  return { ...url, fragment };
}

const wrapped = <T>(bytes: string, read: () => T): T => prefixed(`parse ${goQuote(fromBytes(bytes))}: `, read);

function parse(bytes: string, absolute: boolean): Url {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\x00-\x1f\x7f]/.test(bytes)) throw failure('net/url: invalid control character in URL');
  if (bytes === '' && absolute) throw failure('empty url');
  const [scheme, afterScheme] = cutScheme(bytes);
  const [rest, query] = cut(afterScheme, '?');
  const url: Url = { ...emptyUrl(), scheme, query: query ?? '', emptyQuery: query === '' };
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

function cutScheme(bytes: string): [scheme: string, rest: string] {
  if (bytes.startsWith(':')) throw failure('missing protocol scheme');
  const written = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(bytes)?.[0];
  return written === undefined ? ['', bytes] : [written.toLowerCase(), bytes.slice(written.length + 1)];
}

function parseAuthority(scheme: string, authority: string): { user: string | undefined; host: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const written = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(written)) throw failure('net/url: invalid userinfo');
  const parts = cut(written, ':').filter((part) => part !== undefined);
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
  const [bare, zone] = cut(name, '%25');
  const address = unescapePart(bare, 'host') + (zone === undefined ? '' : unescapePart(`%25${zone}`, 'zone'));
  if (prefixed('invalid host: ', () => parseAddress(fromBytes(address))).family === 4)
    throw failure('invalid IP-literal');
  return `[${address}]${unescapePart(host.slice(close + 1), 'host')}`;
}

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
function escaped(written: string, part: UrlPart): string {
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

/** Percent-encoding as in Go's net/url, by part of a URL. */

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

function fromBytes(bytes: string): string {
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

const escapeFault = (written: string): EvaluationError => failure(`invalid URL escape ${goQuote(fromBytes(written))}`);

export function escapePart(bytes: string, part: UrlPart): string {
  return bytes.replace(/[^A-Za-z0-9]/g, (char) => (PLAIN[part].test(char) ? char : percent(char)));
}

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Reports whether a path or fragment needs no escape. */
function isWellEscaped(bytes: string, part: UrlPart): boolean {
  return [...bytes].every((char) => "!$&'()*+,;=:@[]%".includes(char) || PLAIN[part].test(char));
}

/** The Kubernetes URL library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-url-library). */

const [URL_TYPE, urlOf] = ownType<Url>(
  'kubernetes.URL',
  (a, b) => urlText(a) === urlText(b),
  ({ host, path, query }) => (host.length + path.length + query.length) * 4,
);
const MAX_PARAMETERS = 10_000;

/** Parses an absolute URL or path. @throws EvaluationError (failure) */
const parseUrl = (text: string): Url =>
  prefixed('URL parse error during conversion from string: ', () => {
    checkUrl(text);
    // As in the API server: validated with the fragment as part of path or query, then split without it.
    return parseReference(toBytes(text));
  });

/** Returns the parameters of a query; malformed ones are ignored, as in Go if the error is not requested. */
function queryOf(query: string): CelRecord {
  const parameters = new Map<string, string[]>();
  const written = query.split('&');
  for (const pair of written.length > MAX_PARAMETERS ? [] : written) {
    if (pair === '' || pair.includes(';')) continue;
    const decode = (part = ''): string => fromBytes(unescapePart(part, 'query'));
    const [key, value = ''] = attempt(() => cut(pair, '=').map(decode), EvaluationError) ?? [];
    if (key !== undefined) getOrCompute(parameters, key, () => []).push(value);
  }
  return recordFrom(parameters);
}

const getter = (name: string, read: (url: Url) => string): Overload =>
  method(name, [URL_TYPE], STRING, ({ held }) => fromBytes(read(held)));

export const urls: Library = [
  fn('url', [STRING], URL_TYPE, (text) => urlOf(parseUrl(text)), { work: attemptWork }),
  fn('isURL', [STRING], BOOL, (text) => succeeds(() => checkUrl(text)), { work: attemptWork }),
  getter('getScheme', (url) => url.scheme),
  getter('getHost', (url) => url.host),
  getter('getHostname', (url) => splitHost(url.host).name),
  getter('getPort', (url) => splitHost(url.host).port),
  getter('getEscapedPath', (url) => escaped(url.path, 'path')),
  method('getQuery', [URL_TYPE], mapOf(STRING, listOf(STRING)), ({ held }) => queryOf(held.query), {
    size: ({ held }) => held.query.length,
  }),
];
