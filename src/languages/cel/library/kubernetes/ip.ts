/** The Kubernetes IP address library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-ip-address-library). */
import { fn, type Library, method, type Overload } from '../../library.ts';
import { goQuote } from '../../text/quote.ts';
import { BOOL, INT, STRING } from '../../types.ts';
import { attemptWork } from '../../value/size.ts';
import { failure, ownType, rephrased, succeeds } from '../../value/values.ts';
import { type Address, addressText, bitLength, isMapped, parseAddress } from './ip-address.ts';

export const [IP_TYPE, ipOf] = ownType<Address>('net.IP', (a, b) => addressText(a) === addressText(b));

/** @throws EvaluationError (failure), also for zones and for IPv4-mapped IPv6 addresses, which Kubernetes rejects */
export function parseIP(text: string): Address {
  const address = rephrased(
    () => parseAddress(text),
    (message) => `IP Address ${goQuote(text)} parse error during conversion from string: ${message}`,
  );
  if (address.zone !== '') throw failure(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(address)) throw failure(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return address;
}

/** Returns the leading bits of an address. */
export const leading = ({ family, bits }: Address, count: number): bigint => bits >> BigInt(bitLength(family) - count);

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

export const ip: Library = {
  name: 'kubernetes IP address',
  overloads: [
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
  ],
};
