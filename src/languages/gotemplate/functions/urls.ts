import {
  EvaluationError,
  escapeUrlPart,
  outcomeOf,
  parseReference,
  splitHost,
  unescapeUrlPart,
  urlText,
} from '../../cel/index.ts';
import { type GoMap, type GoValue, kindName, map } from '../values/values.ts';
import { type FunctionTable, fail, fixed, ofCharacters } from './define.ts';

/** Calls the reader of URLs. @throws FunctionError with its message */
function attempt<T>(read: () => T): T {
  const value = outcomeOf(read);
  if (value instanceof EvaluationError) throw fail(`unable to parse url: ${value.message}`);
  return value;
}

function parse(text: string): GoMap {
  const url = attempt(() => parseReference(text));
  return attempt(() =>
    map([
      ['scheme', url.scheme],
      ['host', url.host],
      ['hostname', splitHost(url.host).name],
      ['path', unescapeUrlPart(url.path, 'path')],
      ['query', url.query],
      ['opaque', url.opaque],
      ['fragment', unescapeUrlPart(url.fragment, 'fragment')],
      ['userinfo', url.user ?? ''],
    ]),
  );
}

function part({ entries }: GoMap, key: string): string {
  const value: GoValue = entries.get(key) ?? null;
  if (typeof value === 'string') return value;
  if (!entries.has(key)) return '';
  if (value === null) throw fail('runtime error: invalid memory address or nil pointer dereference');
  throw fail(`unable to parse ${key} key, must be of type string, but ${kindName(value)} found`);
}

function join(parts: GoMap): string {
  const [scheme, host, path, query, opaque, fragment] = ['scheme', 'host', 'path', 'query', 'opaque', 'fragment'].map(
    (key) => part(parts, key),
  ) as [string, string, string, string, string, string];
  const userinfo = part(parts, 'userinfo');
  const user = userinfo === '' ? undefined : attempt(() => parseReference(`proto://${userinfo}@host`)).user;
  const written = escapeUrlPart(path, 'path');
  return urlText({
    scheme,
    opaque,
    user,
    host,
    hostOmitted: false,
    path: rooted(written, scheme, host, user),
    query,
    emptyQuery: false,
    fragment: escapeUrlPart(fragment, 'fragment'),
  });
}

/** A path after a host starts with a slash; one whose first part could be a scheme is marked as a path. */
function rooted(path: string, scheme: string, host: string, user: string | undefined): string {
  if (path !== '' && !path.startsWith('/') && host !== '') return `/${path}`;
  const bare = scheme === '' && host === '' && user === undefined;
  return bare && path.split('/')[0]?.includes(':') ? `./${path}` : path;
}

export const urlFunctions: FunctionTable = {
  urlParse: ofCharacters(parse),
  urlJoin: fixed(['map'], (parts, meter) => {
    for (const value of parts.entries.values()) if (typeof value === 'string') meter.spendCharacters(value.length);
    return join(parts);
  }),
};
