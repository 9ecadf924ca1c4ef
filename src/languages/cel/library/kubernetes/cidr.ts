/** The Kubernetes CIDR library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-cidr-library). */
import { fn, type Library, method } from '../../library.ts';
import { goQuote } from '../../text/quote.ts';
import { BOOL, INT, opaque, STRING } from '../../types.ts';
import { attemptWork } from '../../value/size.ts';
import { CelObject, failure, rephrased, succeeds } from '../../value/values.ts';
import { IP, IP_TYPE, parseIP } from './ip.ts';
import { type Address, addressText, bitLength, isMapped, parseAddress } from './ip-address.ts';

class CIDR extends CelObject {
  readonly typeName = 'net.CIDR';
  constructor(
    readonly address: Address,
    readonly length: number,
  ) {
    super();
  }
  equals(other: CelObject): boolean {
    return other instanceof CIDR && text(this) === text(other);
  }
}

const CIDR_TYPE = opaque<CIDR>('net.CIDR');
const WHERE = 'network address parse error during conversion from string: ';

const text = ({ address, length }: CIDR): string => `${addressText(address)}/${length}`;

function parsePrefix(written: string): CIDR {
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
  return new CIDR(address, length);
}

/** @throws EvaluationError (failure), also for IPv4-mapped IPv6 addresses */
function parseCIDR(written: string): CIDR {
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

/** The leading bits of the network. */
const network = ({ family, bits }: Address, length: number): bigint => bits >> BigInt(bitLength(family) - length);

function contains({ address, length }: CIDR, other: Address): boolean {
  return address.family === other.family && network(address, length) === network(other, length);
}

function masked({ address, length }: CIDR): CIDR {
  const rest = BigInt(bitLength(address.family) - length);
  return new CIDR({ ...address, bits: (address.bits >> rest) << rest }, length);
}

const containsCIDR = (cidr: CIDR, other: CIDR): boolean => cidr.length <= other.length && contains(cidr, other.address);

export const cidr: Library = {
  name: 'kubernetes CIDR',
  overloads: [
    fn('cidr', [STRING], CIDR_TYPE, parseCIDR, { work: attemptWork }),
    fn('isCIDR', [STRING], BOOL, (written: string) => succeeds(() => parseCIDR(written)), { work: attemptWork }),
    method(
      'containsIP',
      [CIDR_TYPE, STRING],
      BOOL,
      (net: CIDR, other: string) => contains(net, parseIP(other).address),
      { work: (_: CIDR, other: string) => attemptWork(other) },
    ),
    method('containsIP', [CIDR_TYPE, IP_TYPE], BOOL, (net: CIDR, other: IP) => contains(net, other.address)),
    method(
      'containsCIDR',
      [CIDR_TYPE, STRING],
      BOOL,
      (net: CIDR, other: string) => containsCIDR(net, parseCIDR(other)),
      { work: (_: CIDR, other: string) => attemptWork(other) },
    ),
    method('containsCIDR', [CIDR_TYPE, CIDR_TYPE], BOOL, containsCIDR),
    method('ip', [CIDR_TYPE], IP_TYPE, ({ address }: CIDR) => new IP(address)),
    method('prefixLength', [CIDR_TYPE], INT, ({ length }: CIDR) => BigInt(length)),
    method('masked', [CIDR_TYPE], CIDR_TYPE, masked),
    fn('string', [CIDR_TYPE], STRING, text),
  ],
};
