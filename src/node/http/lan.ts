import { networkInterfaces } from 'node:os';

/** Addresses to listen on that stand for all of the machine's own. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export function isWildcard(host: string): boolean {
  return WILDCARDS.has(host);
}

/** The addresses by which other machines of the network reach this one; link-local ones are left out, since nobody types them. */
export function lanAddresses(interfaces = networkInterfaces()): string[] {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address);
}
