import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

export type AddressKind =
  | 'loopback'
  | 'private'
  | 'public'
  /** The metadata services of clouds, which give programs their credentials. */
  | 'metadata'
  /** Link-local, multicast and reserved addresses: no usual receiver has one. */
  | 'reserved';

/** The first range that contains an address gives its kind; an address outside all ranges is public. */
const RANGES: readonly (readonly [AddressKind, readonly string[]])[] = [
  ['metadata', ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32']],
  ['metadata', ['fd00:ec2::/32', 'fd20:ce::254/128']],
  // Connecting to the unspecified address reaches the machine itself.
  ['loopback', ['127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128']],
  [
    'private',
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15', 'fc00::/7'],
  ],
  ['reserved', ['0.0.0.0/8', '192.0.0.0/24', '224.0.0.0/4', '240.0.0.0/4']],
  ['reserved', ['fe80::/10', 'fec0::/10', 'ff00::/8', '100::/64']],
];

const LISTS = RANGES.map(([kind, ranges]) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return [kind, list] as const;
});

/** The kind of an address; an IPv6 address that contains an IPv4 address has the kind of that. */
export function classifyAddress(address: string): AddressKind {
  const bare = findEmbeddedIpv4(address) ?? address;
  const family = isIP(bare);
  if (family === 0) return 'reserved';
  const found = LISTS.find(([, list]) => list.check(bare, family === 6 ? 'ipv6' : 'ipv4'));
  return found?.[0] ?? 'public';
}

/** The IPv4 address inside a mapped, compatible, translated (NAT64) or 6to4 address. */
function findEmbeddedIpv4(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const groups = parseIpv6Groups(address);
  const leading = (...expected: number[]): boolean => expected.every((group, n) => groups[n] === group);
  if (leading(0x2002)) return formatIpv4(groups[1], groups[2]);
  const isMapped = leading(0, 0, 0, 0, 0, 0xffff) || leading(0, 0, 0, 0, 0xffff, 0);
  const isTranslated = leading(0x64, 0xff9b, 0, 0, 0, 0) || leading(0x64, 0xff9b, 1);
  // :: and ::1 are not IPv4 addresses.
  const isCompatible = leading(0, 0, 0, 0, 0, 0) && (groups[6] ?? 0) > 0;
  return isMapped || isTranslated || isCompatible ? formatIpv4(groups[6], groups[7]) : undefined;
}

export function parseIpv6Groups(address: string): readonly number[] {
  // The URL parser reads every notation, and writes a dotted end as groups.
  const [plain = ''] = address.split('%');
  const { hostname } = new URL(`http://[${plain}]/`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const first = numbers(head);
  if (tail === undefined) return first;
  const last = numbers(tail);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function formatIpv4(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

export function isOwnAddress(address: string): boolean {
  if (classifyAddress(address) === 'loopback') return true;
  const bare = findEmbeddedIpv4(address) ?? address;
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => own.address === bare);
}
