/** The Kubernetes URL library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-url-library). */

import { attempt } from '../../../../core/model/attempt.ts';
import { getOrCompute } from '../../../../core/model/lazily.ts';
import { fn, type Library, method, type Overload } from '../../library.ts';
import { BOOL, listOf, mapOf, STRING } from '../../types.ts';
import { recordFrom } from '../../value/maps.ts';
import { attemptWork } from '../../value/size.ts';
import { type CelRecord, EvaluationError, ownType, rephrased, succeeds } from '../../value/values.ts';
import { checkUrl, escaped, fromBytes, parseUrl, splitHost, type Url, unescapePart, urlText } from './url-parse.ts';

const [URL_TYPE, urlOf] = ownType<Url>(
  'kubernetes.URL',
  (a, b) => urlText(a) === urlText(b),
  ({ host, path, query }) => (host.length + path.length + query.length) * 4,
);
const MAX_PARAMETERS = 10_000;

const parse = (text: string): Url =>
  rephrased(
    () => parseUrl(text),
    (message) => `URL parse error during conversion from string: ${message}`,
  );

/** Returns the parameters of a query; malformed ones are ignored, as in Go if the error is not requested. */
function queryOf(query: string): CelRecord {
  const parameters = new Map<string, string[]>();
  const written = query.split('&');
  for (const pair of written.length > MAX_PARAMETERS ? [] : written) {
    const decoded = pair === '' || pair.includes(';') ? undefined : decodePair(pair);
    if (decoded === undefined) continue;
    getOrCompute(parameters, decoded.key, () => []).push(decoded.value);
  }
  return recordFrom(parameters);
}

function decodePair(pair: string): { key: string; value: string } | undefined {
  const sign = pair.indexOf('=');
  const [key, value] = sign < 0 ? [pair, ''] : [pair.slice(0, sign), pair.slice(sign + 1)];
  const decode = (part: string): string => fromBytes(unescapePart(part, 'query'));
  return attempt(() => ({ key: decode(key), value: decode(value) }), EvaluationError);
}

const getter = (name: string, read: (url: Url) => string): Overload =>
  method(name, [URL_TYPE], STRING, ({ held }) => fromBytes(read(held)));

export const urls: Library = {
  name: 'kubernetes URLs',
  overloads: [
    fn('url', [STRING], URL_TYPE, (text) => urlOf(parse(text)), { work: attemptWork }),
    fn('isURL', [STRING], BOOL, (text) => succeeds(() => checkUrl(text)), { work: attemptWork }),
    getter('getScheme', (url) => url.scheme),
    getter('getHost', (url) => url.host),
    getter('getHostname', (url) => splitHost(url.host).name),
    getter('getPort', (url) => splitHost(url.host).port),
    getter('getEscapedPath', (url) => escaped(url.path, 'path')),
    method('getQuery', [URL_TYPE], mapOf(STRING, listOf(STRING)), ({ held }) => queryOf(held.query), {
      size: ({ held }) => held.query.length,
    }),
  ],
};
