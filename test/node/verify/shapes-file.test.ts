import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { compareWithContract, compareWithFile } from '../../../src/node/verify/compare.js';
import { describeAnswer } from '../../../src/node/verify/observed-call.js';
import { ShapeSet } from '../../../src/node/verify/shape.js';
import { listConflicts, readShapesFile, writeShapesFile } from '../../../src/node/verify/shapes-file.js';
import { folder } from '../../support/folder.js';
import { type ChangeAnswer, createService, readContract } from './support.js';

const CONTRACT = await readContract();
const ProviderId = 'a26c371f-94f6-40da-add2-28ec8e9da8ed';
const SECRETS = [
  '4242424242424242',
  'Grace Hopper',
  'grace@example.com',
  'order-91827',
  'loyaltyTier',
  'gold-tier',
  '777.25',
  'sk_test_account',
];

async function shapesOf(change?: ChangeAnswer): Promise<ShapeSet> {
  const service = createService('documented', change);
  const PaymentInformation = {
    CardNumber: SECRETS[0],
    ExpiryDate: '10/30',
    Ccv: '987',
    Cardholder: SECRETS[1],
  };
  const paid = await service.send('POST', '/charge/card', {
    Amount: SECRETS[6],
    Currency: 'AUD',
    Reference: SECRETS[3],
    ProviderId,
    PaymentInformation,
    Metadata: { loyaltyTier: SECRETS[5] },
  });
  await service.send('POST', '/customer/card', { ProviderId, PaymentInformation, Email: SECRETS[2] });
  await service.send('GET', `/charge/${String(paid.answer['ChargeId'])}`);
  await service.send('GET', '/charge?Limit=1');
  await service.send('GET', `/${SECRETS[4]}/${SECRETS[3]}`);
  service.close();
  return new ShapeSet(service.observed.map((call) => describeAnswer(call, CONTRACT)));
}

describe('a file of shapes', () => {
  test('has no value of a call, and is the same for the same answers', async () => {
    const [first, second] = [join(folder(), 'first.json'), join(folder(), 'second.json')];
    await writeShapesFile(first, (await shapesOf()).all);
    await writeShapesFile(second, (await readShapesFile(first)).all);
    const text = await readFile(first, 'utf8');
    expect(await readFile(second, 'utf8')).toBe(text);
    expect(SECRETS.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
    expect(text).toContain('"PaymentInformation.Type": "=CARD string"');
  });

  test('has no text in the place of a word, no key of a map in another spelling, and no parameter of a type', async () => {
    const own: ChangeAnswer = (answer, { path }) =>
      path === '/charge/card'
        ? {
            ...answer,
            headers: [
              ['content-type', `application/json; account=${SECRETS[5]};charset=UTF-8`],
              ['x-payfurl-account-91827', '1'],
            ],
            body: {
              ...(answer.body as object),
              Status: SECRETS[1],
              MetaData: { [SECRETS[4] ?? '']: 1 },
              'meta-data': [{ [SECRETS[4] ?? '']: 1 }],
              Balances: { [SECRETS[2] ?? '']: 1, [SECRETS[7] ?? '']: 1 },
            },
          }
        : answer;
    const shape = (await shapesOf(own)).find('POST /charge/card 201');
    expect(shape?.headers).toEqual(['content-type: application/json; charset=utf-8', 'x-payfurl-…']);
    const written = Object.fromEntries([...(shape?.fields ?? [])].map(([path, marks]) => [path, [...marks]]));
    expect(written).toMatchObject({
      Status: ['string', '=?'],
      MetaData: ['object'],
      Balances: ['object', '+'],
    });
    const text = JSON.stringify(written).toLowerCase();
    expect(SECRETS.filter((secret) => text.includes(secret.toLowerCase()))).toEqual([]);
  });

  test('does not call objects equal whose fields it leaves out', async () => {
    const change: ChangeAnswer = (answer, { path }) =>
      path === '/charge/card'
        ? { ...answer, body: { ...(answer.body as object), [SECRETS[2] ?? '']: 1 } }
        : answer;
    const sides = { mine: 'a.json', theirs: 'the service' };
    const verdicts = compareWithFile((await shapesOf(change)).all, await shapesOf(change), CONTRACT, sides);
    expect(verdicts.filter(({ verdict }) => verdict !== 'same')).toEqual([
      {
        key: 'POST /charge/card 201',
        verdict: 'not compared',
        lines: ['fields whose names are left out, because somebody may have chosen them (in $)'],
      },
    ]);
  });

  test.each([429, 503])('of a service that answered %i says nothing of these answers', async (status) => {
    const busy = await shapesOf((answer, { path }) =>
      path === '/charge' ? { ...answer, status, body: { Code: 35, Strange: 1 } } : answer,
    );
    const verdicts = compareWithContract(busy.all, CONTRACT);
    expect(verdicts.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
    const key = `GET /charge ${status} 35`;
    expect(verdicts.find((found) => found.key === key)?.verdict).toBe('not compared');
  });

  test('finds what the service has changed since', async () => {
    const file = await shapesOf();
    const change: ChangeAnswer = (answer, { path }) => {
      if (path !== '/charge/card') return answer;
      const kept = Object.entries(answer.body as object).filter(([name]) => name !== 'Refunds');
      return { ...answer, body: { ...Object.fromEntries(kept), Status: 'SETTLED' } };
    };
    const sides = { mine: 'a.json', theirs: 'the service' };
    const verdicts = compareWithFile((await shapesOf(change)).all, file, CONTRACT, sides);
    expect(verdicts.filter(({ verdict }) => verdict !== 'same')).toEqual([
      {
        key: 'POST /charge/card 201',
        verdict: 'differs',
        lines: ['Status: playmoney does not know the word SETTLED', 'Refunds: only a.json has it'],
      },
    ]);
    const sometimes = new ShapeSet([...(await shapesOf(change)).all, ...(await shapesOf()).all]);
    expect(
      compareWithContract(sometimes.all, CONTRACT).find(({ verdict }) => verdict === 'differs'),
    ).toMatchObject({
      key: 'POST /charge/card 201',
      lines: expect.arrayContaining(['Refunds: sometimes missing at the service']),
    });
    const unseen = compareWithFile((await shapesOf()).all, new ShapeSet(), CONTRACT, sides);
    expect(new Set(unseen.map(({ verdict }) => verdict))).toEqual(new Set(['not compared']));
  });

  test('is merged with another, and names what both cannot be true of', async () => {
    const one = await shapesOf();
    const other = await shapesOf((answer, { path }) =>
      path === '/charge/card'
        ? { ...answer, body: { ...(answer.body as object), Amount: '777.25', Extra: 1 } }
        : answer,
    );
    expect(listConflicts(one, other)).toEqual(['POST /charge/card 201: Amount is number and string']);
    const merged = new ShapeSet([...one.all, ...other.all]).find('POST /charge/card 201');
    expect([...(merged?.fields.get('Extra') ?? [])].toSorted()).toEqual(['?', 'number']);
    expect(listConflicts(one, one)).toEqual([]);
  });

  test.each([
    ['{}', 'format: Invalid input: expected "playmoney shapes 1"'],
    ['{"format":"playmoney shapes 1","shapes":[]}', 'shapes: Too small'],
    [
      '{"format":"playmoney shapes 1","shapes":[{"operation":"GET /","status":2}]}',
      'shapes.0.status: Too small',
    ],
    ...['numbr', '', 'number ', 'string =', 'text numbr'].map((marks) => [
      JSON.stringify({
        format: 'playmoney shapes 1',
        shapes: [{ operation: 'GET /', status: 200, code: null, headers: [], fields: { Amount: marks } }],
      }),
      `shapes.0.fields.Amount: "${marks}" is no list of types and marks`,
    ]),
  ])('is refused with the place of the first fault: %s', async (text, line) => {
    const file = join(folder(), 'wrong.json');
    await writeFile(file, text);
    await expect(readShapesFile(file)).rejects.toThrow(line);
    await expect(readShapesFile(file)).rejects.toThrow('is not a file of shapes');
  });

  test.each([
    ['', ':1:1: not valid JSON'],
    ['not JSON', ':1:1: not valid JSON'],
    ['{"format":"playmoney shapes 1","shapes":[{', ':1:43: not valid JSON'],
  ])('is refused with the place where its JSON ends: %j', async (text, line) => {
    const file = join(folder(), 'wrong.json');
    await writeFile(file, text);
    await expect(readShapesFile(file)).rejects.toThrow(file + line);
  });
});
