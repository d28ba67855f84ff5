import type { StartOptions } from './options.js';

/** Why the port cannot be opened, and what to do about it. */
export function listenFault({ code, message }: NodeJS.ErrnoException, { port, host }: StartOptions): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken, perhaps by another playmoney; stop that program, or take another port with --port (0: any free one)`;
    case 'EACCES':
      return `port ${port} of ${host} may not be opened by this user; take one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine; --host takes one of its own, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return `cannot listen on port ${port} of ${host}: ${message}`;
  }
}
