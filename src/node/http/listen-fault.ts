import { TlsFolderError } from './listener.js';
import type { StartOptions } from '../cli/option-table.js';

/** Why a server cannot listen, in one line for the user. */
export function listenFault(error: unknown, { port, host }: Pick<StartOptions, 'port' | 'host'>): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof TlsFolderError) return message;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken, perhaps by another playmoney; stop that program, or take another port with --port (0 for a free one)`;
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

/** Whether an option must change, rather than another program stop. */
export function isOptionFault(error: unknown): boolean {
  return error instanceof TlsFolderError;
}
