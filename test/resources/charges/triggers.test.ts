import { describe, expect } from 'vitest';
import { MAGIC_CARDS } from '../../../src/outcomes/magic.js';
import { canAnswer, requireOutcome, type Outcome, OUTCOMES } from '../../../src/outcomes/outcomes.js';
import { type Answer, asking, client, good, triggerOf, warningOf } from '../../support/sandbox.js';
import {
  authorised,
  card,
  cardCharge,
  charged,
  chargeBy,
  chargeOf,
  customer,
  stateOf,
  stored,
  token,
} from './support.js';
import { AMOUNTS, DOWN, FLAKY, NO_CAPTURE, NO_FUNDS, SLOW, STEADY, VISA } from '../../support/bodies.js';
import { expectRefused, NOW, textIn } from '../../support/stored.js';
import { cells, words } from '../../support/tables.js';
import { setup, test } from '../../support/tests.js';

/** The declines that an operation can have. */
const declinesOf = (operation: string): Outcome[] =>
  [...OUTCOMES.values()].filter(({ code, name }) => code !== null && canAnswer(name, operation));
const outcomeOf = (name: string): Outcome => requireOutcome(name);

/** Expects a decline with the outcome's fields. */
function expectDeclined(answer: Answer, outcome: Outcome, trigger: string): void {
  const { code, gatewayCode: GatewayCode, gatewayMessage: GatewayMessage, retryable: IsRetryable } = outcome;
  expectRefused(answer, 400, code ?? 0);
  const Details = { PaymentType: 'CARD', CardType: 'VISA' };
  expect(answer.body).toMatchObject({ GatewayCode, GatewayMessage, IsRetryable, Details });
  expect(triggerOf(answer)).toBe(trigger);
  expect(answer.headers.get('retry-after')).toBe(code === 37 ? '1' : null);
}

/** The cards that decline every charge; storage and tokenising approve unless the last column says otherwise. */
const DECLINING_CARDS = MAGIC_CARDS.flatMap(({ number, on }) => {
  const [name = '', ...later] = on?.['charge.create'] ?? [];
  return name === '' || later.length > 0 ? [] : [[number, name, on?.['card.store']?.[0]] as const];
});
const OTHER_MAGIC_CARDS = words`
  4000000000000424 4000000000000101 4000000000002222 4000000000000473 4000000000000481 4000000000000457
  4000000000004087 4000000000002313
`;
const APPROVING_CARDS = MAGIC_CARDS.filter(({ effect }) => effect === 'approve').map(({ number }) => number);

test('every published card is tested here', () => {
  const tested = [...DECLINING_CARDS.map(([number]) => number), ...OTHER_MAGIC_CARDS, ...APPROVING_CARDS];
  expect(MAGIC_CARDS.map((one) => one.number).sort()).toEqual(tested.sort());
});

describe('the card', () => {
  test.for(APPROVING_CARDS)('%s approves without a trigger or a warning', async (number, { api }) => {
    const answer = await api.charge(chargeOf(number));
    expect(answer.body['Status']).toBe('SUCCESS');
    expect(triggerOf(answer)).toBeNull();
    expect(warningOf(answer)).toBeNull();
  });

  test.for(DECLINING_CARDS)(
    '%s declines a charge with %s, and the charge is stored',
    async ([number, name], { api }) => {
      const outcome = outcomeOf(name);
      const { gatewayCode: GatewayCode, gatewayMessage: GatewayMessage } = outcome;
      const answer = await api.charge(chargeOf(number, { Reference: 'r', Capture: false }));
      expectDeclined(answer, outcome, `card:${number}`);
      expect(warningOf(answer)).toBeNull();
      expect(await chargeBy(api, 'r')).toMatchObject({
        ChargeId: answer.body['ChargeId'],
        ProviderChargeId: null,
        Status: 'FAILED',
        Amount: 15.5,
        AuthorisationAmount: null,
        SuccessDate: null,
        VoidDate: null,
        FailedAttempts: [
          {
            ProviderId: STEADY,
            DateAttempted: NOW,
            ErrorMessage: String(answer.body['Message']).split(':')[0],
            GatewayCode,
            GatewayMessage,
          },
        ],
      });
      const id = textIn(answer, 'ChargeId');
      expectRefused(await api.post(`/charge/${id}`, { Amount: 1 }), 409, 54);
      expectRefused(await api.del(`/charge/${id}/void`), 409, 54);
      expectRefused(await api.del(`/refund/${id}`), 409, 54);
    },
  );

  test.for(DECLINING_CARDS)('%s at storage, then charged: %s', async ([number, name, storage], { api }) => {
    const PaymentInformation = card({ CardNumber: number });
    const trigger = `card:${number}`;
    const Token = await token(api, { PaymentInformation });
    expectDeclined(await api.post('/charge/token', { Amount: 1, Token }), outcomeOf(name), trigger);

    if (storage !== undefined) {
      const before = await stateOf(api);
      for (const path of ['/payment_method/card', '/customer/card']) {
        const answer = await api.post(path, { ProviderId: STEADY, PaymentInformation });
        expectDeclined(answer, outcomeOf(storage), trigger);
        expect(answer.body).not.toHaveProperty('ChargeId');
      }
      expect(await stateOf(api)).toEqual(before);
      return;
    }
    const PaymentMethodId = await stored(api, { PaymentInformation });
    const { customerId } = await customer(api, { PaymentInformation });
    const byMethod = await api.post('/charge/payment_method', {
      Amount: 1,
      PaymentMethodId,
      Currency: 'AUD',
    });
    expectDeclined(byMethod, outcomeOf(name), trigger);
    const byCustomer = { Amount: 1, ProviderId: STEADY, CustomerId: customerId };
    expectDeclined(await api.post('/charge/customer', byCustomer), outcomeOf(name), trigger);
  });

  test('4000000000000424 is refused at tokenising and storage, and charges', async ({ api }) => {
    const number = '4000000000000424';
    const body = { ProviderId: STEADY, PaymentInformation: card({ CardNumber: number }) };
    const before = await stateOf(api);
    for (const path of ['/_sandbox/tokens', '/payment_method/card', '/customer/card'])
      expectDeclined(await api.post(path, body), outcomeOf('tokenise_error'), `card:${number}`);
    expect(await stateOf(api)).toEqual(before);
    expect((await api.charge(chargeOf(number))).body['Status']).toBe('SUCCESS');
  });

  test('4000000000000101 approves with a CcvCheck of false', async ({ api }) => {
    const PaymentInformation = card({ CardNumber: '4000000000000101' });
    const answer = await api.charge(cardCharge({ PaymentInformation }));
    expect(answer.body).toMatchObject({
      Status: 'SUCCESS',
      PaymentInformation: { Card: { CcvCheck: false } },
    });
    const without = await api.charge(chargeOf('4000000000000101'));
    expect(without.body).toMatchObject({ PaymentInformation: { Card: { CcvCheck: null } } });
  });

  test('4000000000002222 declines twice and then approves, in each world', async ({ sandbox, api }) => {
    const codes = async (one: typeof api, times: number): Promise<unknown[]> => {
      const seen: unknown[] = [];
      for (let n = 0; n < times; n++) {
        const { body } = await one.charge(chargeOf('4000000000002222'));
        seen.push(body['Code'] ?? body['Status']);
      }
      return seen;
    };
    expect(await codes(api, 4)).toEqual([991, 991, 'SUCCESS', 'SUCCESS']);
    expect(await codes(client(sandbox, 'sk_test_b'), 3)).toEqual([991, 991, 'SUCCESS']);
  });

  test('4000000000002222 does not count a charge that is refused', async ({ api }) => {
    const refused = chargeOf('4000000000002222', { Amount: '1.555' });
    for (let n = 0; n < 3; n++) expectRefused(await api.charge(refused), 400, 2);
    expectRefused(await api.charge(chargeOf('4000000000002222')), 400, 991);
  });

  test('4000000000004087 commits the charge and loses the answer', async ({ api }) => {
    const lost = api.charge(chargeOf('4000000000004087', { Reference: 'lost' }));
    await expect(lost).rejects.toBeInstanceOf(TypeError);
    const charge = await chargeBy(api, 'lost');
    expect(charge).toMatchObject({ Status: 'SUCCESS', SuccessDate: NOW, FailedAttempts: [] });
    expect((await api.del(`/refund/${String(charge['ChargeId'])}`)).body['Status']).toBe('REFUND');
  });

  test('4000000000004087 loses the answer to the charge alone, not to storage or the capture', async ({
    api,
  }) => {
    const PaymentInformation = card({ CardNumber: '4000000000004087' });
    const PaymentMethodId = await stored(api, { PaymentInformation });
    const body = { Amount: 1, PaymentMethodId, Currency: 'AUD', Capture: false, Reference: 'lost' };
    await expect(api.post('/charge/payment_method', body)).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'UND_ERR_SOCKET' },
    });
    const charge = await chargeBy(api, 'lost');
    expect(charge['Status']).toBe('Authorised');
    await good(api.post(`/charge/${String(charge['ChargeId'])}`, { Amount: 1 }));
  });
});

describe('a declined change', () => {
  const CHANGES: [what: string, number: string, code: number, outcome: string, capture: boolean][] = [
    ['capture', '4000000000000473', 47, 'unable_to_capture', false],
    ['void', '4000000000000481', 48, 'unable_to_void', false],
    ['refund', '4000000000000457', 45, 'unable_to_refund', true],
  ];

  const change = (api: ReturnType<typeof setup>['api'], what: string, id: string, outcome?: string) => {
    const headers = outcome === undefined ? {} : asking(outcome);
    if (what === 'capture') return api.post(`/charge/${id}`, { Amount: 15.5 }, headers);
    return api.del(what === 'void' ? `/charge/${id}/void` : `/refund/${id}`, headers);
  };

  test.for(CHANGES)(
    '(%s of %s) leaves the charge and notes the attempt',
    async ([what, number, code, name, Capture], { api }) => {
      const made = await good(api.charge(chargeOf(number, { Capture })));
      const id = textIn(made, 'ChargeId');
      for (let attempts = 1; attempts <= 2; attempts++) {
        const answer = await change(api, what, id);
        expectDeclined(answer, outcomeOf(name), `card:${number}`);
        expect(answer.body).toMatchObject({ Code: code, ChargeId: id });
        const attempt = {
          ProviderId: STEADY,
          DateAttempted: NOW,
          GatewayCode: '12',
          GatewayMessage: 'Invalid transaction',
        };
        const { body } = await api.get(`/charge/${id}`);
        expect(body).toEqual({ ...made.body, FailedAttempts: body['FailedAttempts'] });
        const expected = { ...attempt, ErrorMessage: expect.stringContaining('Unable to') };
        expect(body['FailedAttempts']).toEqual(Array.from({ length: attempts }, () => expected));
      }
      expect((await change(api, what, id, 'approve')).status).toBe(200);
    },
  );

  test.for(CHANGES)(
    '(%s) may have any outcome of its own by header',
    async ([what, , , , Capture], { api }) => {
      const id = await charged(api, { Capture });
      const declines = declinesOf(`charge.${what}`);
      for (const row of declines) {
        const answer = await change(api, what, id, row.name);
        expectDeclined(answer, row, `header:${row.name}`);
      }
      const { body } = await api.get(`/charge/${id}`);
      expect(body).toMatchObject({
        Status: Capture ? 'SUCCESS' : 'Authorised',
        RefundedAmount: null,
        VoidDate: null,
      });
      expect(body['FailedAttempts']).toHaveLength(declines.length);
    },
  );

  test('still lets the authorisation expire', async ({ api }) => {
    const made = await api.charge(chargeOf('4000000000000473', { Capture: false }));
    const id = textIn(made, 'ChargeId');
    expectRefused(await change(api, 'capture', id), 400, 47);
    await api.advance('7d');
    expect((await api.read(`/charge/${id}`))['Status']).toBe('AUTHORISE_CANCELLED');
  });
});

describe('x-sandbox-outcome', () => {
  test.for(declinesOf('charge.create'))(
    '$name declines a charge with code $code',
    async (outcome, { api }) => {
      const { name } = outcome;
      const answer = await api.charge(cardCharge({ Reference: 'r' }), { 'x-sandbox-outcome': name });
      expectDeclined(answer, outcome, `header:${name}`);
      expect(await chargeBy(api, 'r')).toMatchObject({ Status: 'FAILED', ChargeId: answer.body['ChargeId'] });
    },
  );

  test('approve wins over a card that declines', async ({ api }) => {
    const answer = await api.charge(chargeOf(NO_FUNDS), asking('approve'));
    expect(answer.body['Status']).toBe('SUCCESS');
    expect(triggerOf(answer)).toBe('header:approve');
  });

  test('wins over a provider that is down, and over a lost answer', async ({ api }) => {
    const headers = asking('approve');
    await good(api.charge(cardCharge({ ProviderId: DOWN }), headers));
    await good(api.charge(chargeOf('4000000000004087'), headers));
  });

  test('applies to tokenising and storage, which then make nothing', async ({ api }) => {
    const body = { ProviderId: STEADY, PaymentInformation: card() };
    const before = await stateOf(api);
    for (const path of ['/_sandbox/tokens', '/payment_method/card', '/customer/card'])
      expectRefused(await api.post(path, body, asking('do_not_honor')), 400, 905);
    expect(await stateOf(api)).toEqual(before);
  });

  test('is ignored if no provider is called, with a warning', async ({ api }) => {
    const headers = asking('do_not_honor');
    const made = await api.post('/vault', { CardNumber: VISA }, headers);
    const deleted = await api.del(`/vault/${textIn(made, 'VaultId')}`, headers);
    expect([made, deleted].map((answer) => warningOf(answer))).toEqual([
      'ignored x-sandbox-outcome: vault.create does not ask a provider',
      'ignored x-sandbox-outcome: vault.delete does not ask a provider',
    ]);
  });

  test('is ignored on a read, with a warning', async ({ api }) => {
    const answer = await good(api.get('/charge', asking('do_not_honor')));
    expect(warningOf(answer)).toContain('x-sandbox-outcome');
  });

  test.for(cells`
    nonsense||DO_NOT_HONOR|approve,approve|approve,delay=|approve,delay=1|approve,delay=61s
  `)('that is %j is refused before anything happens', async (outcome, { api }) => {
    const before = await stateOf(api);
    const answer = await api.charge(cardCharge(), asking(outcome));
    expectRefused(answer, 400, 90, 'x-sandbox-outcome');
    expect(await stateOf(api)).toEqual(before);
  });

  test('does not excuse a request that is refused anyway', async ({ api }) => {
    const headers = asking('approve');
    expectRefused(await api.charge(cardCharge({ Amount: 0 }), headers), 400, 74);
    expectRefused(await api.del(`/refund/${await authorised(api)}`, headers), 409, 54);
  });

  test.for(['manual', 'real', 'scaled'] as const)(
    'waits for a delay in real time under a %s clock',
    async (mode) => {
      const { api, host } = setup({ clock: { mode } });
      const headers = asking('approve, delay=250ms');
      await good(api.charge(cardCharge(), headers));
      const declined = asking('lost_card,delay=1.5s');
      expectRefused(await api.charge(cardCharge(), declined), 400, 941);
      expect(host.slept).toEqual([250, 1500]);
    },
  );
});

describe('the provider', () => {
  test.for([
    ['AUD', '10.00', null],
    ['AUD', '10', null],
    ['AUD', '10.05', 905],
    ['AUD', '10.51', 15],
    ['AUD', '10.54', 14],
    ['AUD', '10.62', 93],
    ['AUD', '10.91', 991],
    ['AUD', '0.61', 961],
    ['AUD', '10.5', null],
    ['AUD', '10.99', null],
    ['USD', '10.05', 905],
    ['JPY', '1051', null],
    ['BHD', '10.051', null],
    ['BHD', '10.51', null],
  ])('amounts answers %s %s with code %j', async ([Currency, Amount, code], { api }) => {
    const answer = await api.charge(cardCharge({ ProviderId: AMOUNTS, Currency, Amount }));
    expect(answer.body['Code'] ?? null).toBe(code);
    expect(triggerOf(answer)).toBe(code === null ? null : `amount:${Amount}`);
  });

  test('amounts leaves captures and refunds alone', async ({ api }) => {
    const id = await authorised(api, { ProviderId: AMOUNTS, Amount: 20 });
    await good(api.post(`/charge/${id}`, { Amount: 10.51 }));
    await good(api.del(`/refund/${id}?Amount=1.05`));
  });

  test('flaky is unavailable at every third call', async ({ api }) => {
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      statuses.push((await api.charge(cardCharge({ ProviderId: FLAKY }))).status);
    }
    expect(statuses).toEqual([201, 201, 400, 201, 201, 400, 201]);
  });

  test('down is never available, and what it declines is stored', async ({ api }) => {
    const answer = await api.charge(cardCharge({ ProviderId: DOWN, Reference: 'r' }));
    expectDeclined(answer, outcomeOf('provider_unavailable'), 'provider:down');
    expect(await chargeBy(api, 'r')).toMatchObject({ Status: 'FAILED', ProviderId: DOWN });
  });

  test('no-capture refuses an authorisation and stores nothing', async ({ api }) => {
    const before = await stateOf(api);
    const answer = await api.charge(cardCharge({ ProviderId: NO_CAPTURE, Capture: false }));
    expectRefused(answer, 400, 71);
    expect(await stateOf(api)).toEqual(before);
    await good(api.charge(cardCharge({ ProviderId: NO_CAPTURE })));
  });
});

describe('the latency of a provider', () => {
  const timed = async (mode: 'manual' | 'real' | 'scaled', body: object): Promise<number[]> => {
    const { api, host } = setup({ clock: { mode } });
    await api.charge(body);
    return host.slept;
  };

  test('is real time under a real clock, a part of it under a scaled one, none under a manual one', async () => {
    const timeout = chargeOf('4000000000005043');
    expect(await timed('real', timeout)).toEqual([3000]);
    expect(await timed('scaled', timeout)).toEqual([50]);
    expect(await timed('manual', timeout)).toEqual([]);
  });

  test('of slow is drawn from the seed', async () => {
    const slow = cardCharge({ ProviderId: SLOW });
    const [real = 0] = await timed('real', slow);
    expect(real).toBeGreaterThan(100);
    expect(real).toBeLessThanOrEqual(10_000);
    expect(Number.isInteger(real)).toBe(true);
    expect(await timed('real', slow)).toEqual([real]);
    expect(await timed('scaled', slow)).toEqual([real / 60]);
    expect(await timed('manual', slow)).toEqual([]);
  });

  test('of slow has a median of about 800 ms', async () => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    for (let n = 0; n < 101; n++) await api.charge(cardCharge({ ProviderId: SLOW }));
    const median = host.slept.sort((a, b) => a - b)[50] ?? 0;
    expect(median).toBeGreaterThan(650);
    expect(median).toBeLessThan(950);
  });

  test('comes after the charge was stored', async () => {
    const { world, host, api } = setup({ clock: { mode: 'real' } });
    const sizes: number[] = [];
    host.sleep = () => {
      sizes.push(world.charges.size);
      return Promise.resolve();
    };
    await api.charge(cardCharge({ ProviderId: SLOW }));
    expect(sizes).toEqual([1]);
  });

  test('is there for cards that decline, too', async () => {
    const body = chargeOf(NO_FUNDS, { ProviderId: SLOW });
    expect(await timed('real', body)).toHaveLength(1);
  });
});
