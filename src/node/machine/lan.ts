import { networkInterfaces } from 'node:os';

/** Listening addresses that mean all addresses of the machine. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export function isWildcard(host: string): boolean {
  return WILDCARDS.has(host);
}

/** The addresses at which other machines reach this one, without link-local addresses, which are too long to type. */
export function lanAddresses(interfaces = networkInterfaces()): string[] {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address);
}
