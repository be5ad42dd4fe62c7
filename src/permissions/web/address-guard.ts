import { readAddress, spellHost } from './address.js';

/** Why an address is not public. */
export type AddressProblem = {
  /** Words for a message: `a loopback address`. */
  readonly what: string;
  /** The service that gives out a machine's credentials: no rule opens it. */
  readonly isMetadata: boolean;
  /** The host's own name is the problem, not an address behind it: a rule with this name means this host. */
  readonly isOwn: boolean;
};

type Problem = Omit<AddressProblem, 'isOwn'>;

type Range = { readonly bytes: readonly number[]; readonly bits: number; readonly what: string };

const V4_RANGES: readonly Range[] = [
  { bytes: [0], bits: 8, what: 'an unspecified address' },
  { bytes: [10], bits: 8, what: 'a private address' },
  { bytes: [100, 64], bits: 10, what: "a carrier's shared address" },
  { bytes: [127], bits: 8, what: 'a loopback address' },
  { bytes: [169, 254], bits: 16, what: 'a link-local address' },
  { bytes: [172, 16], bits: 12, what: 'a private address' },
  { bytes: [192, 0, 0], bits: 24, what: 'a protocol address' },
  { bytes: [192, 0, 2], bits: 24, what: 'a documentation address' },
  { bytes: [192, 168], bits: 16, what: 'a private address' },
  { bytes: [198, 18], bits: 15, what: 'a benchmarking address' },
  { bytes: [198, 51, 100], bits: 24, what: 'a documentation address' },
  { bytes: [203, 0, 113], bits: 24, what: 'a documentation address' },
  { bytes: [224], bits: 4, what: 'a multicast address' },
  { bytes: [240], bits: 4, what: 'a reserved address' },
];

const V6_RANGES: readonly Range[] = [
  { bytes: Array<number>(16).fill(0), bits: 128, what: 'an unspecified address' },
  { bytes: [...Array<number>(15).fill(0), 1], bits: 128, what: 'a loopback address' },
  { bytes: [0xfc], bits: 7, what: 'a unique local address' },
  { bytes: [0xfe, 0x80], bits: 10, what: 'a link-local address' },
  { bytes: [0xff], bits: 8, what: 'a multicast address' },
  { bytes: [0x20, 0x01, 0], bits: 23, what: 'a protocol address' },
  { bytes: [0x20, 0x01, 0x0d, 0xb8], bits: 32, what: 'a documentation address' },
  { bytes: [0x3f, 0xff], bits: 20, what: 'a documentation address' },
];
const PUBLIC_V6: Range = { bytes: [0x20], bits: 3, what: 'a public address' };

/** Ranges of IPv6 addresses that hold an IPv4 one: IPv4-mapped, translated (64:ff9b::/96), 6to4. */
const EMBEDDINGS: readonly (Omit<Range, 'what'> & { readonly at: number })[] = [
  { bytes: [...Array<number>(10).fill(0), 0xff, 0xff], bits: 96, at: 12 },
  { bytes: [0, 0x64, 0xff, 0x9b, ...Array<number>(8).fill(0)], bits: 96, at: 12 },
  { bytes: [0x20, 0x02], bits: 16, at: 2 },
];

const METADATA_V4 = [169, 254, 169, 254];
const METADATA: readonly (readonly number[])[] = [
  METADATA_V4,
  [...Array<number>(12).fill(0), ...METADATA_V4],
  [0xfd, 0, 0x0e, 0xc2, ...Array<number>(10).fill(0), 0x02, 0x54],
];
const METADATA_NAME = 'metadata.google.internal';

/**
 * Find why a host cannot be fetched from: its own name, or one of the addresses of the name, is not public.
 *
 * @param addresses the addresses that the host's name resolves to.
 */
export function findAddressProblem(
  host: string,
  addresses: readonly string[],
): AddressProblem | undefined {
  const own = problemOfName(host) ?? problemOfAddress(host);
  const resolved = addresses.map(problemOfResolved).filter((problem) => problem !== undefined);
  const found = resolved.find(({ isMetadata }) => isMetadata) ?? own ?? resolved[0];
  return found === undefined ? undefined : { ...found, isOwn: own !== undefined };
}

function problemOfName(host: string): Problem | undefined {
  if (host === METADATA_NAME) return { what: 'a metadata service', isMetadata: true };
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  return isLocal ? { what: 'a name of this machine', isMetadata: false } : undefined;
}

/** A zone (`fe80::1%eth0`) says through which interface, not where. */
function problemOfResolved(address: string): Problem | undefined {
  const bytes = readAddress(spellHost(address.replace(/%.*$/, '')) ?? '');
  const unread = { what: 'an address that cannot be read', isMetadata: false };
  return bytes === undefined ? unread : problemOfBytes(bytes);
}

function problemOfAddress(host: string): Problem | undefined {
  const bytes = readAddress(host);
  return bytes === undefined ? undefined : problemOfBytes(bytes);
}

function problemOfBytes(bytes: readonly number[]): Problem | undefined {
  if (METADATA.some((one) => isEqual(bytes, one)))
    return { what: 'a metadata service', isMetadata: true };
  if (bytes.length === 4) return problemOfV4(bytes);
  const holder = EMBEDDINGS.find((embedding) => isIn(bytes, embedding));
  if (holder !== undefined) return problemOfV4(bytes.slice(holder.at, holder.at + 4));
  const range = V6_RANGES.find((each) => isIn(bytes, each));
  if (range !== undefined) return { what: range.what, isMetadata: false };
  return isIn(bytes, PUBLIC_V6) ? undefined : { what: 'a reserved address', isMetadata: false };
}

function problemOfV4(bytes: readonly number[]): Problem | undefined {
  if (METADATA.some((one) => isEqual(bytes, one)))
    return { what: 'a metadata service', isMetadata: true };
  const range = V4_RANGES.find((each) => isIn(bytes, each));
  return range === undefined ? undefined : { what: range.what, isMetadata: false };
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Whether an address begins with the first `bits` of a range. */
function isIn(address: readonly number[], { bytes, bits }: Omit<Range, 'what'>): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = 0xff & (0xff << Math.max(0, 8 - (bits - bit)));
    const index = bit / 8;
    if (((address[index] ?? 0) & mask) !== ((bytes[index] ?? 0) & mask)) return false;
  }
  return true;
}
