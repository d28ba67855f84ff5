import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { describe, expect, test } from 'vitest';

import { Budget } from '../../../src/core/limits/budget.js';
import { HeldBody } from '../../../src/http/body/held-body.js';
import { ConnectionLost } from '../../../src/http/answers/respond.js';
import { readBodyInto } from '../../../src/node/http/bodies.js';

/** What becomes of the body of a request whose client sends a part of it and leaves. */
function readAfterLeaving(when: 'before it is read' | 'while it is read'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const server = createServer((incoming: IncomingMessage) => {
      const read = (): void => {
        readBodyInto(incoming, new HeldBody(new Budget(Infinity), 10)).then(resolve, reject);
        server.close();
      };
      if (when === 'while it is read') read();
      else incoming.once('close', read);
      client.resetAndDestroy();
    });
    const client = new Socket();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      client.connect(port, '127.0.0.1', () => {
        client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"a"');
      });
    });
  });
}

describe('a client that leaves in the midst of its body', () => {
  test.each(['before it is read', 'while it is read'] as const)('is noticed %s', async (when) => {
    await expect(readAfterLeaving(when)).rejects.toBeInstanceOf(ConnectionLost);
  });
});
