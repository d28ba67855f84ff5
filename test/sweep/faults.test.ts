import { expect, test } from 'vitest';

import { type SweepContext, type SweepFlow, sweep } from '../../src/index.js';
import { FAULTS } from '../../src/sweep/faults.js';
import { charging } from '../client/support.js';
import { HOOK, pay } from './support.js';
import { type FaultName, resolveFaults } from '../../src/sweep/choose-faults.js';

const PROVIDER = '00000000000000000000000000000001';

/** What a client gets: the reason why there is no answer, or its status, and its code or how it begins. */
async function seen(answer: Promise<Response>): Promise<string> {
  try {
    const response = await answer;
    const text = await response.text();
    return `${response.status} ${/"Code":(\d+)/.exec(text)?.[1] ?? `${text.slice(0, 12)}…${text.slice(-1)}`}`;
  } catch (error) {
    const { name, cause } = error as Error;
    return (cause as { code?: string } | undefined)?.code ?? name;
  }
}

/** What a flow says in the run with the only fault, which comes after two without. */
async function underFault(
  fault: FaultName,
  flow: (context: SweepContext) => Promise<string>,
): Promise<string> {
  const runs: string[] = [];
  const recording: SweepFlow = async (context) => void runs.push(await flow(context));
  await sweep(recording, { faults: [fault], pairs: false });
  const [clean, same, faulty = '', ...others] = runs;
  expect([same, others]).toEqual([clean, []]);
  expect(faulty).not.toBe(clean);
  return faulty;
}

test.each([
  ['lost', 'ECONNRESET, charged'],
  ['late', 'UND_ERR_HEADERS_TIMEOUT, charged'],
  ['broken', '500 37, charged'],
  ['gateway timeout', '400 80, charged'],
  ['elsewhere', '200 <!doctype ht…>'],
  ['declined', '400 15'],
  ['refused', 'ECONNRESET'],
  ['garbled', '200 <html><body>…>, charged'],
  ['cut', 'UND_ERR_SOCKET, charged'],
  ['unavailable', '503 37'],
  ['limited', '429 35'],
  ['declined for good', '400 943'],
  ['down', 'ECONNRESET'],
] as const)('The fault "%s" of a charge: %s', async (fault, result) => {
  const charged = async (context: SweepContext): Promise<string> => {
    const answer = await seen(pay(context));
    const charges = await context.world.charges();
    return charges.some(({ Status }) => Status === 'SUCCESS') ? `${answer}, charged` : answer;
  };
  expect(await underFault(fault, charged)).toBe(result);
});

test('A late answer to a call with a signal is rejected as AbortSignal.timeout rejects it.', async () => {
  const flow = ({ fetch }: SweepContext): Promise<string> =>
    seen(fetch('/charge/token', { ...charging('order-1'), signal: AbortSignal.timeout(60_000) }));
  expect(await underFault('late', flow)).toBe('TimeoutError');
});

test('While the service is down, all calls of the flow are refused, and those of the recovery are not.', async () => {
  const runs: string[][] = [];
  await sweep(
    (context) => {
      const run: string[] = [];
      runs.push(run);
      const search = async (): Promise<void> => {
        run.push(await seen(context.fetch('/charge', { headers: { 'x-secretkey': context.key } })));
      };
      return search()
        .then(search)
        .then(() => ({ recover: search }));
    },
    { faults: ['down'] },
  );
  const found = '200 {"Limit":100…}';
  expect(runs.slice(2)).toEqual([
    ['ECONNRESET', 'ECONNRESET', found],
    [found, 'ECONNRESET', found],
  ]);
});

test.each(['documented', 'sdk'] as const)(
  'No gateway takes a charge whose payer decides later, in the %s dialect.',
  async (dialect) => {
    const card = { CardNumber: '4000000000001133', ExpiryDate: '12/30', Ccv: '123' };
    const flow: SweepFlow = async ({ fetch }) => {
      const charge = (path: string, more: object): Promise<Response> =>
        fetch(path, charging('order-1', { Token: undefined, ProviderId: PROVIDER, ...more }));
      await charge('/charge/checkout', { ProviderType: 'paypal', RedirectUrl: 'http://shop.test/back' });
      await charge('/charge/card', {
        PaymentInformation: card,
        ThreeDSNotificationUrl: 'http://shop.test/3ds',
      });
      await charge('/charge/token', { Token: 'tok_approve', ProviderId: undefined });
    };
    const { cells } = await sweep(flow, { faults: ['gateway timeout'], settings: { dialect } });
    expect(cells.map(({ point }) => point)).toEqual(['charge.create order-1 #3']);
  },
);

test('A token has expired before the call that pays with it, and an authorisation before its capture.', async () => {
  const card = { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' };
  const post = async ({ fetch }: SweepContext, path: string, body: object): Promise<Response> =>
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', providerid: PROVIDER },
      body: JSON.stringify(body),
    });
  const byToken = async (context: SweepContext): Promise<string> => {
    const made = await post(context, '/token/card', { PaymentInformation: card });
    const { TokenId: Token } = (await made.json()) as { TokenId: string };
    return seen(pay(context, 'order-1', { Token }));
  };
  expect(await underFault('expired', byToken)).toBe('400 51');
  const captured = async (context: SweepContext): Promise<string> => {
    const made = await pay(context, 'order-1', { Capture: false });
    const { ChargeId } = (await made.json()) as { ChargeId: string };
    return seen(post(context, `/charge/${ChargeId}`, { Amount: 5 }));
  };
  expect(await underFault('expired', captured)).toBe('409 54');
});

/** What happens around two charges with webhooks: answers, and messages with their statuses. */
async function told(context: SweepContext): Promise<string> {
  const log: string[] = [];
  context.receive(async (request) => {
    const { data } = (await request.json()) as { data: { reference: string; status: string } };
    const signature = request.headers.get('x-payfurl-signature') ?? 'none';
    log.push(`${data.reference} ${data.status}${signature.length === 44 ? '' : ' unsigned'}`);
    return new Response(null, { status: 204 });
  });
  for (const reference of ['a', 'b']) {
    const { status } = await pay(context, reference, HOOK);
    log.push(`${reference} ${status}`);
    await context.world.settle();
  }
  return log.join(', ');
}

test.each([
  ['first', 'a SUCCESS, a 201, b 201, b SUCCESS'],
  ['twice', 'a 201, a SUCCESS, a SUCCESS, b 201, b SUCCESS'],
  ['lost webhook', 'a 201, b 201, b SUCCESS'],
  ['late webhook', 'a 201, b 201, b SUCCESS'],
  ['swapped', 'a 201, b 201, b SUCCESS, a SUCCESS'],
  ['forged', 'a 400, a SUCCESS, b 201, b SUCCESS'],
] as const)('The fault "%s" of the first webhook of two: %s', async (fault, log) => {
  const runs: string[] = [];
  await sweep(async (context) => void runs.push(await told(context)), { faults: [fault] });
  expect(runs.slice(0, 3)).toEqual(['a 201, a SUCCESS, b 201, b SUCCESS', runs[0], log]);
});

test('Meanwhile, a webhook that was due arrives while a later call waits for its answer.', async () => {
  const runs: string[] = [];
  const flow: SweepFlow = async (context) => {
    const log: string[] = [];
    context.receive(() => {
      log.push('webhook');
      return new Response(null, { status: 204 });
    });
    for (const reference of ['a', 'b']) {
      await pay(context, reference, reference === 'a' ? HOOK : {});
      await context.world.settle();
      log.push(reference);
    }
    runs.push(log.join());
  };
  const report = await sweep(flow, { faults: ['meanwhile'] });
  expect(runs).toEqual(['webhook,a,b', 'webhook,a,b'].concat('a,webhook,b'));
  // No webhook can be due at the first call.
  expect(report.cells).toMatchObject([{ point: 'charge.create b', verdict: 'recovered' }]);
});

test('Meanwhile, a webhook that no call caused arrives, as after the approval of a payer.', async () => {
  const runs: string[] = [];
  const flow: SweepFlow = async (context) => {
    const log: string[] = [];
    context.receive(async (request) => {
      log.push(((await request.json()) as { data: { status: string } }).data.status);
      return new Response(null, { status: 204 });
    });
    const card = { CardNumber: '4000000000001133', ExpiryDate: '12/30', Ccv: '123' };
    const body = { Amount: 5, ProviderId: PROVIDER, Reference: 'a', PaymentInformation: card, ...HOOK };
    const more = { ThreeDSNotificationUrl: 'https://shop.example/3ds' };
    const init = { ...charging('a'), body: JSON.stringify({ ...body, ...more }) };
    const made = (await (await context.fetch('/charge/card', init)).json()) as Record<string, string>;
    await context.world.settle();
    await context.world.simulate('challenge.approve', String(made['ThreeDSServerTransID']));
    await context.world.settle();
    log.push('page');
    await context.fetch(`/charge/${made['ChargeId']}`, { headers: { 'x-secretkey': context.key } });
    log.push('read');
    runs.push(log.join());
  };
  await sweep(flow, { faults: ['meanwhile'] });
  expect(runs.slice(1)).toEqual(
    expect.arrayContaining(['PENDING,SUCCESS,page,read', 'page,PENDING,SUCCESS,read']),
  );
});

test('A late webhook arrives after the flow.', async () => {
  let messages = 0;
  const received: number[] = [];
  const flow: SweepFlow = async (context) => {
    messages = 0;
    context.receive(() => {
      messages++;
      return new Response(null, { status: 204 });
    });
    await pay(context, 'a', HOOK);
    await context.world.settle();
    received.push(messages);
    return { recover: () => received.push(messages) };
  };
  await sweep(flow, { faults: ['late webhook'] });
  expect(received.slice(-2)).toEqual([0, 1]);
});

test('A receiver that returns nothing has answered with 200.', async () => {
  const statuses: unknown[] = [];
  const flow: SweepFlow = async (context) => {
    context.receive(() => {});
    await pay(context, 'a', HOOK);
    await context.world.settle();
    const [delivery] = await context.world.deliveries.list();
    statuses.push(delivery?.attempts.map(({ status }) => status));
  };
  const report = await sweep(flow, { faults: [] });
  expect([report.hasWebhooks, statuses[0]]).toEqual([true, ['delivered']]);
});

test('A fault of your own is for calls or for webhooks, and acts where it says.', async () => {
  const busy = {
    name: 'busy',
    operations: ['charge.create'],
    then: { outcome: 'issuer_unavailable' },
  } as const;
  const slow = { name: 'slow', about: 'It took an hour.', policy: { delay: '1h' } } as const;
  const flow: SweepFlow = async (context) => {
    await context.fetch('/charge');
    await told(context);
  };
  const { cells } = await sweep(flow, { faults: [busy, slow], pairs: false });
  expect(cells.map(({ point, fault }) => `${point}: ${fault}`)).toEqual([
    'charge.create a: busy',
    'charge.create b: busy',
    'webhook transaction.status.changed a: slow',
    'webhook transaction.status.changed b: slow',
  ]);
  expect(resolveFaults([busy, slow]).map(({ about }) => about)).toEqual([
    'The fault busy happened.',
    'It took an hour.',
  ]);
});

test('A fault that does not exist, and one that does nothing or too much, are refused.', async () => {
  await expect(sweep(() => {}, { faults: ['losst' as 'lost'] })).rejects.toThrow(
    'sweep: there is no fault "losst". Did you mean lost? Faults: lost, late, broken,',
  );
  for (const parts of [{}, { then: { fault: 'reset' }, policy: { drop: true } }] as const) {
    await expect(sweep(() => {}, { faults: [{ name: 'odd', ...parts }] })).rejects.toThrow(
      'sweep: the fault "odd" needs either then (for calls) or policy (for webhooks).',
    );
  }
});

test('Each fault says what happened in a sentence.', () => {
  for (const { about } of Object.values(FAULTS)) expect(about).toMatch(/^[A-Z].*\.$/);
});
