import { type OutgoingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';

/** An answer as it came over a socket. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends requests to an address, byte for byte; a body brings its media type and length along. */
export function sender(url: () => string, key: string) {
  return (method: string, path: string, body?: string, more: OutgoingHttpHeaders = {}): Promise<Reply> => {
    const headers: OutgoingHttpHeaders = {
      'x-secretkey': key,
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...more,
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${url()}${path}`, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, text, body: JSON.parse(text) as Reply['body'] });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  };
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
