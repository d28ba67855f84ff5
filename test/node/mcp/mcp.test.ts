import { createServer, type RequestListener } from 'node:http';

import { describe, expect, test } from 'vitest';

import { runMcp } from '../../../src/node/mcp/mcp.js';
import { portOf } from '../../support/serving.js';

interface Answer {
  readonly id: unknown;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

const OPTIONS = {
  url: null as string | null,
  key: 'sk_test_local',
  adminToken: null as string | null,
  sweep: null as string | null,
};

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

/** What the server answers to lines, as it prints it. */
async function answersTo(
  lines: readonly (string | object)[],
  size = 10_000,
  options: Partial<typeof OPTIONS> = {},
): Promise<Answer[]> {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const printed: string[] = [];
  await runMcp({ ...OPTIONS, ...options }, inPieces(text, size), (answer) => printed.push(answer));
  expect(printed.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  return printed.map((line) => JSON.parse(line) as Answer);
}

const asked = (method: string, params?: unknown): object => ({ jsonrpc: '2.0', id: 1, method, params });

/** What tools say in one world, one after the other. */
async function said(...calls: (readonly [name: string, given?: object])[]) {
  const answers = await answersTo(
    calls.map(([name, given]) => asked('tools/call', { name, arguments: given })),
  );
  return answers.map(({ result }) => ({
    texts: result?.content?.map(({ text }) => text) ?? [],
    isError: result?.isError === true,
  }));
}

const charge = (Reference: string): readonly [string, object] => [
  'call',
  { Id: 'chargeToken', Arguments: { Amount: 20, Token: 'tok_approve', Reference } },
];

describe('the protocol', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-11-25'],
    ['2999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('offers for version %s version %s', async (protocolVersion, offered) => {
    const [answer] = await answersTo([asked('initialize', { protocolVersion })]);
    expect(answer?.result).toMatchObject({ protocolVersion: offered, capabilities: { tools: {} } });
  });

  test.each([
    ['{', -32_700, null, 'A line is not JSON. Send one message a line.'],
    ['[]', -32_600, null, 'A message must be an object with a method, such as tools/call.'],
    [{ id: 2, method: 3 }, -32_600, 2, 'A message must be an object with a method, such as tools/call.'],
    [asked('resources/list'), -32_601, 1, 'There is no method "resources/list".'],
    [asked('ping', []), -32_602, 1, 'The params must be an object, not an array.'],
    [asked('tools/call', { name: 'pay' }), -32_602, 1, 'There is no tool "pay". Tools: operations, call, '],
    [
      asked('tools/call', { name: 'call', arguments: 3 }),
      -32_602,
      1,
      'The arguments must be an object, not a number.',
    ],
  ])('refuses %j with %d', async (line, code, id, message) => {
    const [answer] = await answersTo([line]);
    expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    expect(answer?.error?.message).toContain(message);
  });

  test('answers each request once, in order, and no notification, however the lines arrive', async () => {
    const lines = [
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      '',
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'tools/call',
        params: { name: 'call', arguments: charge('a\u2028b')[1] },
      },
    ];
    for (const size of [1, 7, 10_000]) {
      const answers = await answersTo(lines, size);
      expect(answers.map(({ id }) => id)).toEqual(['a', 0]);
      expect(answers[1]?.result?.content?.[0]?.text).toContain('"Status":201');
    }
  });
});

describe('a tool', () => {
  test('says what the control API refuses, in its words', async () => {
    const answers = await said(
      ['advanceClock', { By: 'soon' }],
      ['getJournal', { Reason: 'x' }],
      ['getEntry'],
      ['call', { Id: 'pay' }],
      ['queueOutcomes', { Operation: 'charge.create', Outcomes: ['broke'] }],
    );
    expect(answers.map(({ isError, texts }) => [isError, ...texts])).toEqual([
      [
        true,
        'Validation Error: By is "soon"; it must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H.',
      ],
      [true, 'Validation Error: Unknown filter "Reason".'],
      [true, 'The argument id of getEntry is missing.'],
      [true, 'There is no operation "pay". The tool operations lists them.'],
      [true, expect.stringContaining('the unknown outcome "broke"')],
    ]);
  });

  test('returns a decline as an answer of the service', async () => {
    const [declined] = await said([
      'call',
      { Id: 'chargeToken', Arguments: { Amount: 20, Token: 'tok_expired_card' } },
    ]);
    expect(declined?.isError).toBe(false);
    expect(JSON.parse(declined?.texts[0] ?? '')).toMatchObject({ Status: 400, Body: { Code: 14 } });
  });

  test('takes arguments for headers, and for the path', async () => {
    const [queued, lost, found] = await said(
      [
        'call',
        {
          Id: 'chargeToken',
          Arguments: { Amount: 5, Token: 'tok_approve', 'x-sandbox-outcome': 'do_not_honor' },
        },
      ],
      [
        'call',
        { Id: 'chargeToken', Arguments: { Amount: 5, Token: 'tok_approve', 'x-sandbox-fault': 'empty' } },
      ],
      ['call', { Id: 'getEntry', Arguments: { id: 2 } }],
    );
    expect(queued?.texts[0]).toContain('"x-sandbox-trigger":"header:do_not_honor"');
    expect([lost?.isError, lost?.texts[0]]).toEqual([true, expect.stringContaining('There was no answer')]);
    expect(found?.texts[0]).toContain('"Fault":"empty"');
  });

  test('describes every operation, without references', async () => {
    const [list] = await said(['operations', { Full: true }]);
    const { Body } = JSON.parse(list?.texts[0] ?? '') as { readonly Body: readonly string[] };
    const ids = Body.map((line) => line.replace(/:.*/, ''));
    expect(ids).toContain('chargeCard');
    const described = await said(...ids.map((Id) => ['operations', { Id }] as const));
    expect(described.filter(({ isError, texts }) => isError || texts.join('').includes('$ref'))).toEqual([]);
    expect(described.filter(({ texts }) => texts.length !== 1)).toEqual([]);
  });
});

describe('an answer', () => {
  test('has less than 10 kB, says what is missing, and is whole if that is asked for', async () => {
    const calls = Array.from({ length: 30 }, (_, n) => charge(`order-${n}`));
    const answers = await said(
      ...calls,
      ['getJournal'],
      ['getJournal', { Full: true }],
      ['getTriggers'],
      ['operations'],
    );
    const [cut, whole, ...others] = answers.slice(30).map(({ texts }) => texts);
    expect(cut?.[1]).toMatch(
      /^This is not all: each list has at most \d items\. Use Only, Limit and Skip, or Full: true\.$/,
    );
    const { Body } = JSON.parse(cut?.[0] ?? '') as { readonly Body: { Count: number; Entries: unknown[] } };
    expect(Body.Count).toBe(30);
    expect(Body.Entries.length).toBeGreaterThan(2);
    for (const texts of [cut, ...others])
      expect(Buffer.byteLength(texts?.join('\n') ?? '')).toBeLessThan(10_000);
    expect(whole).toHaveLength(1);
    expect(Buffer.byteLength(whole?.[0] ?? '')).toBeGreaterThan(30_000);
  });

  test('lists only items with a text', async () => {
    const [found] = await said(['getTriggers', { Only: 'Insufficient' }]);
    const { Body } = JSON.parse(found?.texts[0] ?? '') as {
      readonly Body: { Cards: unknown; Tokens: unknown };
    };
    expect(Body).toMatchObject({ Cards: [{ CardNumber: '4000000000009995' }], Tokens: [] });
  });
});

describe('a server that is not trusted', () => {
  /** What the tool says that calls a server. */
  async function saidOf(listener: RequestListener, Id: string): Promise<string> {
    const options = { url: `http://127.0.0.1:${await portOf(createServer(listener))}`, adminToken: 'sesame' };
    const call = asked('tools/call', { name: 'call', arguments: { Id } });
    const [answer] = await answersTo([call], 10_000, options);
    expect(answer?.result?.isError).toBe(true);
    return answer?.result?.content?.[0]?.text ?? '';
  }

  test('gets neither key nor token by a redirect', async () => {
    const stolen: unknown[] = [];
    const thief = await portOf(
      createServer(({ headers }, response) => {
        stolen.push(headers);
        response.end('{}');
      }),
    );
    const location = `http://127.0.0.1:${thief}/`;
    const text = await saidOf((_, response) => response.writeHead(307, { location }).end(), 'getWorld');
    expect(text).toBe(
      `The server redirects to "${location}". No redirect is followed, since it would take the key elsewhere. Check --url.`,
    );
    expect(stolen).toEqual([]);
  });

  test('is read up to a limit', async () => {
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const endless: RequestListener = (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    };
    expect(await saidOf(endless, 'getWorld')).toBe(
      'The answer of getWorld has more than 16 MiB. Ask for less, with Limit.',
    );
  });
});

test('a stream without an end is refused with a sentence, and the next call is answered', async () => {
  const [live, next] = await said(['call', { Id: 'lookOn' }], charge('after'));
  expect(live).toEqual({
    texts: [
      'lookOn is a stream without an end, which a tool cannot return. Use getJournal, or awaitEntries to wait.',
    ],
    isError: true,
  });
  expect(next?.isError).toBe(false);
});
