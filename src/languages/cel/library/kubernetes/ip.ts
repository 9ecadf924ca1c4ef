import { fn, type Library, method, type Overload } from '../../library.ts';
import { goQuote } from '../../text/quote.ts';
import { BOOL, INT, STRING } from '../../types.ts';
import { attemptWork } from '../../value/size.ts';
import { failure, ownType, rephrased, succeeds } from '../../value/values.ts';
import { type Address, addressText, bitLength, isMapped, parseAddress } from './ip-address.ts';

/** The Kubernetes IP address library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-ip-address-library). */

const [IP_TYPE, ipOf] = ownType<Address>('net.IP', (a, b) => addressText(a) === addressText(b));

/** @throws EvaluationError (failure), also for zones and for IPv4-mapped IPv6 addresses, which Kubernetes rejects */
function parseIP(text: string): Address {
  const address = rephrased(
    () => parseAddress(text),
    (message) => `IP Address ${goQuote(text)} parse error during conversion from string: ${message}`,
  );
  if (address.zone !== '') throw failure(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(address)) throw failure(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return address;
}

/** Returns the leading bits of an address. */
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

/** The Kubernetes CIDR library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-cidr-library). */

interface Network {
  address: Address;
  length: number;
}

const networkText = ({ address, length }: Network): string => `${addressText(address)}/${length}`;

const [CIDR, cidrOf] = ownType<Network>('net.CIDR', (a, b) => networkText(a) === networkText(b));

const WHERE = 'network address parse error during conversion from string: ';

function parsePrefix(written: string): Network {
  const fault = (why: string): Error => failure(`netip.ParsePrefix(${goQuote(written)}): ${why}`);
  const slash = written.lastIndexOf('/');
  if (slash < 0) throw fault("no '/'");
  const address = rephrased(
    () => parseAddress(written.slice(0, slash)),
    (message) => fault(message).message,
  );
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
  const cidr = rephrased(
    () => parsePrefix(written),
    (message) => WHERE + WHERE + message,
  );
  if (isMapped(cidr.address)) {
    throw failure(`${WHERE}IPv4-mapped IPv6 address ${goQuote(written)} is not allowed`);
  }
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

export const cidr: Library = {
  name: 'kubernetes CIDR',
  overloads: [
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
  ],
};
