/** The Kubernetes IP address library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-ip-address-library). */
import { fn, type Library, method } from '../../library.ts';
import { goQuote } from '../../text/quote.ts';
import { BOOL, INT, opaque, STRING } from '../../types.ts';
import { attemptWork } from '../../value/size.ts';
import { CelObject, failure, rephrased, succeeds } from '../../value/values.ts';
import { type Address, addressText, isMapped, parseAddress } from './ip-address.ts';

export class IP extends CelObject {
  readonly typeName = 'net.IP';
  constructor(readonly address: Address) {
    super();
  }
  equals(other: CelObject): boolean {
    return other instanceof IP && addressText(this.address) === addressText(other.address);
  }
}

export const IP_TYPE = opaque<IP>('net.IP');

/** @throws EvaluationError (failure), also for zones and for IPv4-mapped IPv6 addresses, which Kubernetes rejects */
export function parseIP(text: string): IP {
  const address = rephrased(
    () => parseAddress(text),
    (message) => `IP Address ${goQuote(text)} parse error during conversion from string: ${message}`,
  );
  if (address.zone !== '') throw failure(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(address)) throw failure(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new IP(address);
}

const text = ({ address }: IP): string => addressText(address);

/** Returns the leading bits of an address. */
const leading = ({ family, bits }: Address, count: number): bigint => bits >> BigInt((family === 4 ? 32 : 128) - count);

const isUnspecified = ({ address }: IP): boolean => address.bits === 0n;

function isLoopback({ address }: IP): boolean {
  return address.family === 4 ? leading(address, 8) === 127n : address.bits === 1n;
}

function isLinkLocalMulticast({ address }: IP): boolean {
  if (address.family === 4) return leading(address, 24) === 0xe00000n;
  return (leading(address, 16) & 0xff0fn) === 0xff02n;
}

function isLinkLocalUnicast({ address }: IP): boolean {
  return address.family === 4 ? leading(address, 16) === 0xa9fen : leading(address, 10) === 0xfe80n >> 6n;
}

function isMulticast({ address }: IP): boolean {
  return address.family === 4 ? leading(address, 4) === 0xen : leading(address, 8) === 0xffn;
}

function isGlobalUnicast(ip: IP): boolean {
  const { family, bits } = ip.address;
  if (family === 4 && bits === 0xffffffffn) return false;
  return ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast].some((other) => other(ip));
}

export const ip: Library = {
  name: 'kubernetes IP address',
  overloads: [
    fn('ip', [STRING], IP_TYPE, parseIP, { work: attemptWork }),
    fn('isIP', [STRING], BOOL, (written: string) => succeeds(() => parseIP(written)), { work: attemptWork }),
    fn('ip.isCanonical', [STRING], BOOL, (written: string) => text(parseIP(written)) === written, {
      work: attemptWork,
    }),
    method('family', [IP_TYPE], INT, ({ address }: IP) => BigInt(address.family)),
    method('isUnspecified', [IP_TYPE], BOOL, isUnspecified),
    method('isLoopback', [IP_TYPE], BOOL, isLoopback),
    method('isLinkLocalMulticast', [IP_TYPE], BOOL, isLinkLocalMulticast),
    method('isLinkLocalUnicast', [IP_TYPE], BOOL, isLinkLocalUnicast),
    method('isGlobalUnicast', [IP_TYPE], BOOL, isGlobalUnicast),
    fn('string', [IP_TYPE], STRING, text),
  ],
};
