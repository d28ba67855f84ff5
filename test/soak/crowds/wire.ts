import { connect, type Socket } from 'node:net';

/** A connection of its own, open; what goes wrong on it later is no news. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

/** Opens connections, some at a time: a server takes no endless queue of them. */
export async function openSockets(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => openSocket(port));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

const AT_ONCE = 100;
