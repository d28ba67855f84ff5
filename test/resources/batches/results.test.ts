import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  presentBatch,
  RESULTS_HEADER,
  formatResults,
  streamBatch,
} from '../../../src/resources/batches/presenter.js';
import { failBatch } from '../../../src/resources/batches/service.js';
import { acceptBatch, accepted, batchAt, linesOf, LOST, noPause, resultsOf, setup } from './support.js';

const WAITING = ',,,,,';

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

describe('the lines of Results', () => {
  test('are in file order below the ten columns from the first read on', async () => {
    const { world, method } = setup();
    const id = method();
    const batchId = acceptBatch(world, [`${id},1,AUD,a`, `${id},2,AUD,b`]);
    const lines = (one: string, two: string): string =>
      `${RESULTS_HEADER}\n${id},1,AUD,a,${one}\n${id},2,AUD,b,${two}`;
    const shown = (): string => formatResults(world, batchAt(world, batchId));
    const charge = (n: number): string => `SUCCESS,${world.charges.at(n)?.id},,,,`;

    expect(RESULTS_HEADER).toBe(
      'PaymentMethodId,Amount,Currency,Reference,Status,TransactionId,FailureReason,GatewayErrorCode,GatewayErrorResponse,IsRetryable',
    );
    expect(shown()).toBe(lines(`RECEIVED${WAITING}`, `RECEIVED${WAITING}`));
    await world.advance({ by: 1000 });
    expect(shown()).toBe(lines(`CREATED${WAITING}`, `CREATED${WAITING}`));
    await world.advance({ by: 1000 });
    expect(shown()).toBe(lines(`IN_PROGRESS${WAITING}`, `IN_PROGRESS${WAITING}`));
    await world.advance({ by: 100 });
    expect(shown()).toBe(lines(charge(0), `IN_PROGRESS${WAITING}`));
    await world.advance({ by: 100 });
    expect(shown()).toBe(lines(charge(0), charge(1)));
  });

  test('have ten fields each', async () => {
    const { world, method } = setup();
    const batchId = acceptBatch(world, [`${method()},1,AUD,a`, `${method(LOST)},2,AUD,b`, ',,,']);
    const counts = (): number[] =>
      resultsOf(world, batchId).map((line) => line.match(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g)?.length ?? 0);
    expect(counts()).toEqual([9, 9, 9]);
    await world.advance({ by: 60_000 });
    expect(counts()).toEqual([9, 9, 9]);
  });

  test.each([
    ['quotes that were needless', 'm,"1",AUD,"plain"', 'm,1,AUD,plain'],
    ['quotes that are needed', 'm,1,AUD,"a ""b"", c"', 'm,1,AUD,"a ""b"", c"'],
    ['a line break', 'm,1,AUD,"a\r\nb"', 'm,1,AUD,"a\r\nb"'],
    ['a return within a plain field', 'm,1,AUD,a\rb', 'm,1,AUD,"a\rb"'],
    ['a CR LF line end', 'm,1,AUD,a\r', 'm,1,AUD,a'],
    ['characters beyond ASCII', 'm,1,AUD,Zoë 😀', 'm,1,AUD,Zoë 😀'],
  ])('repeat a row with %s as RFC 4180 has it', async (_, written, shown) => {
    const { world } = setup();
    const batchId = acceptBatch(world, [written, 'm,2,AUD,b']);
    expect(formatResults(world, batchAt(world, batchId))).toBe(
      `${RESULTS_HEADER}\n${shown},RECEIVED${WAITING}\nm,2,AUD,b,RECEIVED${WAITING}`,
    );
  });
});

describe('a streamed batch', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '\\', ',', '"', '\n', '\t', 'é', '😀') });

  test('has the bytes of a whole one, whatever its rows hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 5 }), async (references) => {
        const { world, method } = setup();
        const id = method();
        const rows = references.map((reference) => `${id},1,AUD,"${reference.replaceAll('"', '""')}"`);
        const batchId = acceptBatch(world, rows);
        await world.advance({ by: 2150 });
        const batch = batchAt(world, batchId);
        expect(await textOf(streamBatch(world, batch, noPause))).toBe(
          JSON.stringify(presentBatch(world, batch)),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('has the bytes of a whole one over many pieces, at every stage of its life', async () => {
    const { world, method } = setup();
    const ids = [method(), method(LOST), 'unknown'];
    const rows = Array.from(
      { length: 3500 },
      (_, n) => `${ids[n % 3]},1,AUD,${n % 1000 === 999 ? '"é, x"' : n}`,
    );
    const batchId = acceptBatch(world, rows);
    for (const by of [0, 1000, 1000, 9_123, 60_000]) {
      await world.advance({ by });
      const batch = batchAt(world, batchId);
      expect(await textOf(streamBatch(world, batch, noPause))).toBe(
        JSON.stringify(presentBatch(world, batch)),
      );
    }
  });

  test('shows the moment of the request, whatever happens while it is read', async () => {
    const { world, batchId } = accepted(5000);
    await world.advance({ by: 17_000 });
    const before = batchAt(world, batchId);
    const expected = JSON.stringify(presentBatch(world, before));
    const text = await textOf(
      streamBatch(world, before, async () => {
        await world.advance({ by: 2_000 });
      }),
    );
    expect(text).toBe(expected);
    expect(before.done).toBe(2500);
    expect(batchAt(world, batchId).status).toBe('SUCCESS');
  });

  test('shows a broken batch as it broke', async () => {
    const { world, batchId } = accepted(2500);
    await world.advance({ by: 17_000 });
    const text = await textOf(streamBatch(world, failBatch(world, batchId), noPause));
    const lines = linesOf((JSON.parse(text) as { Results: string }).Results);
    expect(lines.filter((line) => line.includes(',SUCCESS,'))).toHaveLength(1250);
    expect(
      lines.filter((line) => line.endsWith(',FAILED,,Processing stopped before this row,,,true')),
    ).toHaveLength(1250);
  });
});
