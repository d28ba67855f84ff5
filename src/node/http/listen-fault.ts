import { quoteText } from '../../core/text/text.js';
import { TlsFolderError } from './listener.js';
import type { StartOptions } from '../options/option-table.js';

/** Explains in one line why a server cannot listen. */
export function describeListenFault(
  error: unknown,
  { port, host }: Pick<StartOptions, 'port' | 'host'>,
): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof TlsFolderError) return message;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is already in use, perhaps by another playmoney. Stop that program, or choose another port with --port (0 picks a free one)`;
    case 'EACCES':
      return `permission denied for port ${port} of ${host}. Choose a port above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `--host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, not ${quoteText(host)}`;
    default:
      return `cannot listen on port ${port} of ${host}: ${message}`;
  }
}

/** Whether the user must change an option, rather than stop another program. */
export function isOptionFault(error: unknown): boolean {
  return error instanceof TlsFolderError;
}
