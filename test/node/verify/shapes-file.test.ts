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
    ['not JSON', 'Invalid input: expected object, received undefined'],
    [
      '{"format":"playmoney shapes 1","shapes":[{"operation":"GET /","status":2}]}',
      'shapes.0.status: Too small',
    ],
  ])('is refused with the place of the first fault: %s', async (text, line) => {
    const file = join(folder(), 'wrong.json');
    await writeFile(file, text);
    await expect(readShapesFile(file)).rejects.toThrow(line);
    await expect(readShapesFile(file)).rejects.toThrow('is not a file of shapes');
  });
});
