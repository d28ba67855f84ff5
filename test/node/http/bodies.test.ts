import { describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { sandboxServed } from '../../support/serving.js';
import { CHARGE } from '../cli/starting.js';
import { CLOSE, HOST, JSON_TYPE, KEY, openWire, requestText, talk, type Wire } from './support.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Room for one body of 1 MiB. */
const SMALL = { memoryMax: 4 * MIB, bodyLimit: MIB, batchBodyLimit: MIB };

async function start(): Promise<number> {
  // Only the bodies are limited, not the memory of the process that runs all tests.
  const { memoryUsed: _, ...host } = NODE_HOST;
  const { port } = await sandboxServed(SMALL, {}, host);
  return port;
}

const head = (length: number): string =>
  requestText('PUT /_sandbox/state', [HOST, KEY, JSON_TYPE, `Content-Length: ${length}`]);

/** A body of which a part arrives, and the rest never does. */
async function half(port: number, sent: number): Promise<Wire> {
  const wire = await openWire(port);
  wire.send(head(MIB) + ' '.repeat(sent));
  return wire;
}

describe('bodies that arrive together', () => {
  test('and are too large get the largest refused with 503, and its connection closed', async () => {
    const port = await start();
    const wires = [await half(port, 600 * KIB), await half(port, 200 * KIB), await half(port, 200 * KIB)];
    const answer = await Promise.race(wires.map((wire) => wire.closed()));
    expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain(
      'this is the largest. Send it again later, or start the server with a larger --memory-max.',
    );
    for (const { socket } of wires) socket.destroy();
  });

  test('do not keep small ones from being answered', async () => {
    const port = await start();
    const wires = await Promise.all(Array.from({ length: 12 }, () => half(port, 500 * KIB)));
    await Promise.race(wires.map((wire) => wire.closed()));
    expect(await talk(port, requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, CLOSE], CHARGE))).toMatch(
      /^HTTP\/1\.1 201 /,
    );
    for (const { socket } of wires) socket.destroy();
  });

  test('leave room again when their clients have gone', async () => {
    const port = await start();
    for (let n = 0; n < 5; n++) {
      const wire = await half(port, 900 * KIB);
      await talk(port, requestText('GET /charge', [HOST, KEY, CLOSE]));
      wire.socket.destroy();
      await wire.closed();
    }
    const text = `${' '.repeat(MIB - CHARGE.length)}${CHARGE}`;
    expect(await talk(port, requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, CLOSE], text))).toMatch(
      /^HTTP\/1\.1 201 /,
    );
  });

  test('of unknown length are refused like others', async () => {
    const port = await start();
    const chunked = async (): Promise<Wire> => {
      const wire = await openWire(port);
      const chunk = `${(500 * KIB).toString(16)}\r\n${' '.repeat(500 * KIB)}\r\n`;
      wire.send(
        requestText('PUT /_sandbox/state', [HOST, KEY, JSON_TYPE, 'Transfer-Encoding: chunked']) + chunk,
      );
      return wire;
    };
    const wires = await Promise.all(Array.from({ length: 6 }, chunked));
    expect(await Promise.race(wires.map((wire) => wire.closed()))).toContain('HTTP/1.1 503');
    for (const { socket } of wires) socket.destroy();
  });
});
