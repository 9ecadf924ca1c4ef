import {
  EvaluationError,
  escapeUrlPart,
  outcomeOf,
  parseReference,
  splitHost,
  unescapeUrlPart,
  urlText,
} from '../../cel/index.ts';
import type { Meter } from '../meter.ts';
import { GoMap, type GoValue, kindName, list, map, plain, sortedEntries, strings } from '../values/values.ts';
import { countedText, type FunctionTable, fail, fixed, ofCharacters, variadic } from './define.ts';

/** Counts the entries of a map that is copied. */
function visited(from: GoMap, meter: Meter): GoMap {
  meter.spendItems(from.entries.size);
  meter.spendSteps(from.entries.size);
  return from;
}

function set(target: GoMap, key: string, value: GoValue, meter: Meter): GoMap {
  meter.spendItems(1);
  if (target.isNil) throw fail('assignment to entry in nil map', 'nil-map');
  target.entries.set(key, value);
  return target;
}

function dict(items: readonly GoValue[], meter: Meter): GoMap {
  meter.spendItems(items.length);
  const result = map();
  for (let at = 0; at < items.length; at += 2) {
    result.entries.set(countedText(items[at] ?? null, meter), at + 1 < items.length ? (items[at + 1] ?? null) : '');
  }
  return result;
}

/** `dig "a" "b" OTHERWISE MAP` */
function dig(args: readonly GoValue[]): GoValue {
  if (args.length < 3) throw fail('dig needs at least three arguments');
  const keys = args.slice(0, -2);
  if (keys.some((key) => typeof key !== 'string')) throw fail('interface conversion: a key is not a string');
  let step = plain(args.at(-1) ?? null);
  for (const key of keys as string[]) {
    if (!(step instanceof GoMap) || step.element !== 'interface {}') {
      throw fail(`interface conversion: interface {} is not map[string]interface {}`);
    }
    const next = step.entries.get(key);
    if (next === undefined) return args.at(-2) ?? null;
    step = next;
  }
  return step;
}

export const dictFunctions: FunctionTable = {
  dict: variadic(['any'], dict),
  get: fixed(['map', 'string'], ({ entries }, key) => (entries.has(key) ? (entries.get(key) ?? null) : '')),
  set: fixed(['map', 'string', 'any'], set),
  unset: fixed(['map', 'string'], (target, key) => {
    target.entries.delete(key);
    return target;
  }),
  hasKey: fixed(['map', 'string'], (from, key) => from.entries.has(key)),
  pluck: variadic(['string', 'map'], (key, maps) =>
    list((maps as GoMap[]).filter(({ entries }) => entries.has(key)).map(({ entries }) => entries.get(key) ?? null)),
  ),
  keys: variadic(['map'], (maps: readonly GoMap[], meter) => {
    for (const one of maps) visited(one, meter);
    return strings(maps.flatMap((one) => sortedEntries(one).map(([key]) => key)));
  }),
  pick: variadic(['map', 'string'], (from, keys, meter) => {
    meter.spendItems(keys.length);
    meter.spendSteps(from.entries.size);
    const wanted = new Set<string>(keys as string[]);
    return map(sortedEntries(from).filter(([key]) => wanted.has(key)));
  }),
  omit: variadic(['map', 'string'], (from, keys, meter) => {
    const unwanted = new Set<string>(keys as string[]);
    return map(sortedEntries(visited(from, meter)).filter(([key]) => !unwanted.has(key)));
  }),
  values: fixed(['map'], (from, meter) => list(sortedEntries(visited(from, meter)).map(([, value]) => value))),
  dig: variadic(['any'], dig),
};

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
  const scheme = part(parts, 'scheme');
  const host = part(parts, 'host');
  const written = escapeUrlPart(part(parts, 'path'), 'path');
  const query = part(parts, 'query');
  const opaque = part(parts, 'opaque');
  const fragment = escapeUrlPart(part(parts, 'fragment'), 'fragment');
  const userinfo = part(parts, 'userinfo');
  const user = userinfo === '' ? undefined : attempt(() => parseReference(`proto://${userinfo}@host`)).user;
  const path = rooted(written, scheme, host, user);
  return urlText({ scheme, opaque, user, host, hostOmitted: false, path, query, emptyQuery: false, fragment });
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
    for (const value of parts.entries.values()) if (typeof value === 'string') meter.spendSteps(value.length);
    return join(parts);
  }),
};
