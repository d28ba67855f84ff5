import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { createSandbox, serve, sweep, type SweepFlow, type SweepReport } from '../../src/index.js';
import { blindRetry, HOOK, order, pay } from './support.js';

/** Faults that take no time over HTTP. */
const QUICK = ['lost', 'elsewhere', 'declined', 'first', 'lost webhook', 'forged', 'down'] as const;

/** A shop that calls by the global `fetch`, with a webhook that it does not need. */
const byGlobalFetch: SweepFlow = (context) => {
  context.receive(() => new Response(null, { status: 204 }));
  return blindRetry({ ...context, fetch: (input, init) => fetch(input, init) }, HOOK);
};

/** A fetch that is none: a call by `node:http`, as axios makes it. */
const byNodeHttp: typeof fetch = async (input, init) => {
  const { method, headers, body } = new Request(input, init);
  const sent = body === null ? '' : await text(body);
  return new Promise<Response>((resolve, reject) => {
    const call = request(input as string, { method, headers: Object.fromEntries(headers) }, (answer) => {
      text(answer).then((got) => resolve(new Response(got, { status: answer.statusCode ?? 0 })), reject);
    });
    call.once('error', reject).end(sent);
  });
};

/** The text of a report without the lines of code: the shops here call from different lines. */
const textOf = (report: SweepReport): string => report.toString().replaceAll(/^ +In your code: .*\n/gm, '');

async function serveAt(): Promise<string> {
  const sandbox = createSandbox();
  const server = await serve(sandbox);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await server.close(0);
    sandbox.close();
  });
  vi.stubEnv('PLAYMONEY_URL', `${server.url}/`);
  return server.url;
}

describe('The global fetch', () => {
  test('reaches the run, and gives the same report as that of the flow', async () => {
    const own = await sweep((context) => {
      context.receive(() => new Response(null, { status: 204 }));
      return blindRetry(context, HOOK);
    });
    expect(textOf(await sweep(byGlobalFetch))).toBe(textOf(own));
  });

  test('is restored when the sweep has ended, well or badly', async () => {
    const before = globalThis.fetch;
    await sweep(byGlobalFetch, { faults: ['lost'] });
    await expect(sweep(() => {})).rejects.toThrow('made no call');
    expect(globalThis.fetch).toBe(before);
  });

  test('reaches the run of its own sweep, if two go on at the same time', async () => {
    const [one, two] = await Promise.all([
      sweep(byGlobalFetch, { concurrency: 4 }),
      sweep(byGlobalFetch, { concurrency: 2 }),
    ]);
    expect(one.unproven).toEqual([]);
    expect(two.toString()).toBe(one.toString());
  });
});

test('With listen, clients that use no fetch reach the run, with the same report.', async () => {
  const flow: SweepFlow = (context) => {
    context.receive(() => new Response(null, { status: 204 }));
    return blindRetry({ ...context, fetch: byNodeHttp }, HOOK);
  };
  const report = await sweep(flow, { listen: true, faults: QUICK, pairs: false });
  const within = await sweep(byGlobalFetch, { faults: QUICK, pairs: false });
  expect(report.cells).toEqual(within.cells);
  // Only a call of fetch shows who made it.
  expect(report.findings).toEqual(within.findings.map((finding) => ({ ...finding, source: null })));
});

test('Without listen, such a client makes no call.', async () => {
  await expect(sweep((context) => blindRetry({ ...context, fetch: byNodeHttp }))).rejects.toThrow(
    'sweep: the clean run made no call.',
  );
});

describe('At the server of PLAYMONEY_URL', () => {
  test('the report is the same, by the given and by the global fetch, and with several runs at a time', async () => {
    const options = { faults: QUICK, pairs: false } as const;
    const within = await sweep(byGlobalFetch, options);
    const before = globalThis.fetch;
    await serveAt();
    const byGiven: SweepFlow = (context) => {
      context.receive(() => new Response(null, { status: 204 }));
      return blindRetry(context, HOOK);
    };
    expect((await sweep(byGlobalFetch, options)).toString()).toBe(within.toString());
    expect(textOf(await sweep(byGiven, { ...options, concurrency: 4 }))).toBe(textOf(within));
    expect(globalThis.fetch).toBe(before);
  });

  test('a webhook that breaks off harms no other, and a receiver that returns nothing answers with 200', async () => {
    await serveAt();
    const statuses: (number | undefined)[] = [];
    await sweep(
      async (context) => {
        let hook = '';
        context.receive(() => {});
        const { world } = context;
        await pay(context, 'order-1', HOOK);
        [hook = ''] = (await world.deliveries.list()).map(({ url }) => url);
        const socket = connect(Number(new URL(hook).port), '127.0.0.1');
        socket.write(`POST ${new URL(hook).pathname} HTTP/1.1\r\nhost: shop\r\ncontent-length: 99\r\n\r\n{`);
        await new Promise<void>((resolve) => socket.write('"', () => resolve()));
        socket.destroy();
        await once(socket, 'close');
        statuses.push((await fetch(hook, { method: 'POST', body: '{}' })).status);
        return { orders: () => [order(true)] };
      },
      { faults: [], pairs: false },
    ).catch(() => null);
    expect(statuses[0]).toBe(200);
  });

  test('receivers get what was sent, and a receiver that fails gets it again', async () => {
    await serveAt();
    const got: string[] = [];
    await sweep(
      async (context) => {
        context.receive(({ url, headers }) => {
          got.push(`${url} ${headers.get('x-payfurl-signature')?.length}`);
          if (got.length === 1) throw new Error('not yet');
          return new Response(null, { status: 204 });
        });
        await pay(context, 'order-1', { Webhook: { Url: 'http://shop.test/hook?a=1' } });
      },
      { faults: ['twice'] },
    );
    expect(new Set(got)).toEqual(new Set(['http://shop.test/hook?a=1 44']));
    // The first clean run needs two, the second one, and the fault makes two of it.
    expect(got).toHaveLength(5);
  });

  test('a late answer is held back for two seconds, once', async () => {
    await serveAt();
    const waited: number[] = [];
    const flow: SweepFlow = async (context) => {
      const start = performance.now();
      await blindRetry(context);
      waited.push(performance.now() - start);
    };
    const { findings } = await sweep(flow, { faults: ['late'] });
    expect(findings.map(({ name }) => name)).toEqual(['charged twice at charge.create order-1']);
    expect(waited.map((ms) => ms > 1900)).toEqual([false, false, true]);
  });
});

test('Webhooks to the own port of a shop are sent there.', async () => {
  const seen: string[] = [];
  const flow: SweepFlow = async (context) => {
    let paid = false;
    const server = createServer((message, response) => {
      void text(message).then((body) => {
        const { data } = JSON.parse(body) as { data: { status: string } };
        seen.push(data.status);
        paid = data.status === 'SUCCESS';
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const Url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    await pay(context, 'order-1', { Webhook: { Url } });
    return {
      orders: () => {
        server.close();
        server.closeAllConnections();
        return [order(paid)];
      },
    };
  };
  const { findings } = await sweep(flow, { faults: ['lost webhook', 'twice'] });
  expect(seen).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  expect(findings.map(({ name }) => name)).toEqual([
    'paid, not delivered at webhook transaction.status.changed order-1',
  ]);
});

test('The given fetch passes calls to other addresses on, with the body of a Request.', async () => {
  const got: string[] = [];
  const other = createServer((message, response) => {
    void text(message).then((body) => {
      got.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/stock`;
  const flow: SweepFlow = async (context) => {
    await context.fetch(new Request(url, { method: 'POST', body: 'one less' }));
    await pay(context);
  };
  await sweep(flow, { faults: ['refused'] }).finally(() => {
    other.close();
    other.closeAllConnections();
  });
  expect(got).toEqual(['one less', 'one less', 'one less']);
});

test('A flow has no receiver until it names one, and its dialect can be set.', async () => {
  const flow: SweepFlow = async (context) => {
    const answer = await pay(context, 'order-1', HOOK);
    expect(await answer.json()).toHaveProperty('chargeId');
    await context.world.settle();
    const [delivery] = await context.world.deliveries.list();
    expect(delivery?.note).toBe('the flow has not called receive');
  };
  const report = await sweep(flow, { faults: ['twice'], settings: { dialect: 'sdk' } });
  expect([report.runs, report.findings]).toEqual([1, []]);
});
