import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The number of the process at the other end of a connection on this machine; null if it is not to be found. Linux only. */
export function findCaller({ remotePort = 0, localPort = 0 }: Socket): number | null {
  const inode = findInode(remotePort, localPort);
  if (inode === null) return null;
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return Number(numbers.find((number) => hasSocket(number, inode)) ?? NaN) || null;
}

/** The inode of the socket from one port to another. */
function findInode(from: number, to: number): string | null {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readOrEmpty(() => readFileSync(table, 'utf8').split('\n'))) {
      const [, local = '', remote = '', , , , , , , inode = '0'] = line.trim().split(/\s+/);
      if (inode !== '0' && endsInPort(local, from) && endsInPort(remote, to)) return inode;
    }
  }
  return null;
}

/** Addresses of the table end in a port of four hexadecimal digits. */
function endsInPort(address: string, port: number): boolean {
  return address.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`);
}

function hasSocket(pid: string, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readOrEmpty(() => readdirSync(folder)).some((fd) =>
    readOrEmpty(() => [readlinkSync(`${folder}/${fd}`)]).includes(`socket:[${inode}]`),
  );
}

/** A process may end meanwhile, or belong to somebody else. */
function readOrEmpty(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
