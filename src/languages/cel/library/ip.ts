/** IP addresses as Go's net/netip reads and writes them. */
import { cut, goQuote } from '../../../core/text/go-text.ts';
import { fn, type Library, method, type Overload } from '../library.ts';
import { BOOL, INT, STRING } from '../types.ts';
import { attemptWork } from '../value/order.ts';
import { type EvaluationError, failure, ownType, prefixed, succeeds } from '../value/values.ts';

export interface Address {
  family: 4 | 6;
  bits: bigint;
  zone: string;
}

const bitLength = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/** Reports whether an IPv6 address contains an IPv4 one: ::ffff:1.2.3.4. */
const isMapped = ({ family, bits }: Address): boolean => family === 6 && bits >> 32n === 0xffffn;

/** @throws EvaluationError (failure) */
export function parseAddress(text: string): Address {
  const fault = (why: string, at = ''): EvaluationError =>
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

type CreateError = (why: string, at?: string) => EvaluationError;

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
  const [address, zone] = cut(text, '%');
  if (zone === '') throw fault('zone must be a non-empty string');
  const { groups, gap } = readGroups(address, fault);
  if (gap < 0 && groups.length < 8) throw fault('address string too short');
  if (gap >= 0 && groups.length === 8) throw fault('the :: must expand to at least one field of zeros');
  const zeros = Array.from({ length: 8 - groups.length }, () => 0);
  const all = gap < 0 ? groups : [...groups.slice(0, gap), ...zeros, ...groups.slice(gap)];
  return { family: 6, bits: all.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n), zone: zone ?? '' };
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
function addressText({ family, bits, zone }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bits >> BigInt(112 - index * 16)) & 0xffffn);
  const text = groups.map((group) => group.toString(16)).join(':');
  const [longest] = [...text.matchAll(/\b0(?::0)+\b/g)].sort(([one], [other]) => other.length - one.length);
  const [before, after] =
    longest === undefined ? [text] : [text.slice(0, longest.index), text.slice(longest.index + longest[0].length)];
  const short = after === undefined ? before : `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
  return zone === '' ? short : `${short}%${zone}`;
}

/** The Kubernetes IP address library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-ip-address-library). */

const [IP_TYPE, ipOf] = ownType<Address>('net.IP', (a, b) => addressText(a) === addressText(b));

/** @throws EvaluationError (failure), also for zones and for IPv4-mapped IPv6 addresses, which Kubernetes rejects */
function parseIP(text: string): Address {
  const prefix = `IP Address ${goQuote(text)} parse error during conversion from string: `;
  const address = prefixed(prefix, () => parseAddress(text));
  if (address.zone !== '') throw failure(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(address)) throw failure(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return address;
}

const leading = ({ family, bits }: Address, count: number): bigint => bits >> BigInt(bitLength(family) - count);

const isUnspecified = ({ bits }: Address): boolean => bits === 0n;
const isLoopback = (ip: Address): boolean => (ip.family === 4 ? leading(ip, 8) === 127n : ip.bits === 1n);

const isLinkLocalMulticast = (ip: Address): boolean =>
  ip.family === 4 ? leading(ip, 24) === 0xe00000n : (leading(ip, 16) & 0xff0fn) === 0xff02n;

const isLinkLocalUnicast = (ip: Address): boolean =>
  ip.family === 4 ? leading(ip, 16) === 0xa9fen : leading(ip, 10) === 0xfe80n >> 6n;

const isMulticast = (ip: Address): boolean => (ip.family === 4 ? leading(ip, 4) === 0xen : leading(ip, 8) === 0xffn);

const isGlobalUnicast = (ip: Address): boolean =>
  !(ip.family === 4 && ip.bits === 0xffffffffn) &&
  ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast].some((other) => other(ip));

const test = (name: string, holds: (ip: Address) => boolean): Overload =>
  method(name, [IP_TYPE], BOOL, ({ held }) => holds(held));

export const ip: Library = [
  fn('ip', [STRING], IP_TYPE, (text) => ipOf(parseIP(text)), { work: attemptWork }),
  fn('isIP', [STRING], BOOL, (text) => succeeds(() => parseIP(text)), { work: attemptWork }),
  fn('ip.isCanonical', [STRING], BOOL, (text) => addressText(parseIP(text)) === text, { work: attemptWork }),
  method('family', [IP_TYPE], INT, ({ held }) => BigInt(held.family)),
  test('isUnspecified', isUnspecified),
  test('isLoopback', isLoopback),
  test('isLinkLocalMulticast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', isLinkLocalUnicast),
  test('isGlobalUnicast', isGlobalUnicast),
  fn('string', [IP_TYPE], STRING, ({ held }) => addressText(held)),
];

/** The Kubernetes CIDR library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-cidr-library). */

interface Network {
  address: Address;
  length: number;
}

const networkText = ({ address, length }: Network): string => `${addressText(address)}/${length}`;

const [CIDR, cidrOf] = ownType<Network>('net.CIDR', (a, b) => networkText(a) === networkText(b));

const WHERE = 'network address parse error during conversion from string: ';

function parsePrefix(written: string): Network {
  const prefix = `netip.ParsePrefix(${goQuote(written)}): `;
  const fault = (why: string): EvaluationError => failure(prefix + why);
  const slash = written.lastIndexOf('/');
  if (slash < 0) throw fault("no '/'");
  const address = prefixed(prefix, () => parseAddress(written.slice(0, slash)));
  if (address.zone !== '') throw fault('IPv6 zones cannot be present in a prefix');
  const bits = written.slice(slash + 1);
  if (!/^(0|[1-9][0-9]{0,17})$/.test(bits)) throw fault(`bad bits after slash: ${goQuote(bits)}`);
  const length = Number(bits);
  if (length > bitLength(address.family)) throw fault('prefix length out of range');
  return { address, length };
}

/** @throws EvaluationError (failure), also for IPv4-mapped IPv6 addresses */
function parseCIDR(written: string): Network {
  // Both layers of the API server's code add the same prefix.
  const cidr = prefixed(WHERE + WHERE, () => parsePrefix(written));
  if (isMapped(cidr.address)) throw failure(`${WHERE}IPv4-mapped IPv6 address ${goQuote(written)} is not allowed`);
  return cidr;
}

const contains = ({ address, length }: Network, other: Address): boolean =>
  address.family === other.family && leading(address, length) === leading(other, length);

function masked({ address, length }: Network): Network {
  const rest = BigInt(bitLength(address.family) - length);
  return { address: { ...address, bits: (address.bits >> rest) << rest }, length };
}

const containsNetwork = (network: Network, other: Network): boolean =>
  network.length <= other.length && contains(network, other.address);

const work = (_: unknown, other: string): number => attemptWork(other);

export const cidr: Library = [
  fn('cidr', [STRING], CIDR, (text) => cidrOf(parseCIDR(text)), { work: attemptWork }),
  fn('isCIDR', [STRING], BOOL, (text) => succeeds(() => parseCIDR(text)), { work: attemptWork }),
  method('containsIP', [CIDR, STRING], BOOL, ({ held }, other) => contains(held, parseIP(other)), { work }),
  method('containsIP', [CIDR, IP_TYPE], BOOL, ({ held }, other) => contains(held, other.held)),
  method('containsCIDR', [CIDR, STRING], BOOL, ({ held }, other) => containsNetwork(held, parseCIDR(other)), {
    work,
  }),
  method('containsCIDR', [CIDR, CIDR], BOOL, ({ held }, other) => containsNetwork(held, other.held)),
  method('ip', [CIDR], IP_TYPE, ({ held }) => ipOf(held.address)),
  method('prefixLength', [CIDR], INT, ({ held }) => BigInt(held.length)),
  method('masked', [CIDR], CIDR, ({ held }) => cidrOf(masked(held))),
  fn('string', [CIDR], STRING, ({ held }) => networkText(held)),
];
