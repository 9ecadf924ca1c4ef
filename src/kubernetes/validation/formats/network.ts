import { attempt } from '../../../core/model/attempt.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { byteLength } from '../../../core/text/utf8.ts';
import { checkUrl, EvaluationError, parseIpAddress } from '../../../languages/cel/index.ts';

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
