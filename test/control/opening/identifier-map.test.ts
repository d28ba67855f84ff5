import { describe, expect, test } from 'vitest';

import { IdentifierMap } from '../../../src/control/opening/identifier-map.js';

const [A, B, C] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];
const [UUID, OTHER_UUID] = ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'];

describe('identifiers', () => {
  test('correspond from the first time that they are in the same place', () => {
    const ids = new IdentifierMap();
    expect(ids.isAlike('ChargeId', A, B)).toBe(true);
    expect(ids.isAlike('ChargeId', A, B)).toBe(true);
    expect(ids.isAlike('ChargeId', A, C)).toBe(false);
    expect(ids.isAlike('ChargeId', C, B)).toBe(false);
  });

  test.each([
    ['Message', `The charge ${A} is REFUND.`, `The charge ${B} is REFUND.`],
    ['Resource', `/charge/${A}/void`, `/charge/${B}/void`],
    ['Results', `${A},5,AUD,x,SUCCESS,${C}`, `${B},5,AUD,x,SUCCESS,${UUID}`],
    ['Message', `${UUID} is gone`, `${OTHER_UUID} is gone`],
    ['ProviderChargeId', 'ch_69d727b93d13bb28ec3f9f7a', 'ch_0123456789abcdef01234567'],
    ['Note', 'see ch_69d727b93d13bb28ec3f9f7a', 'see ch_0123456789abcdef01234567'],
    ['ChargeId', 'an-id-of-theirs_1', 'an-id-of-theirs_2'],
    ['order_id', 'ORDER-0001', 'ORDER-0002'],
    [
      'Url',
      `http://127.0.0.1:4010/_sandbox/pay/0123456789ab/${A}`,
      `https://localhost:4011/_sandbox/pay/ba9876543210/${B}`,
    ],
  ])('of %s are found in %j', (member, recorded, replayed) => {
    expect(new IdentifierMap().isAlike(member, recorded, replayed)).toBe(true);
  });

  test.each([
    ['Reference', 'order-0001', 'order-0002'],
    ['TerminalId', '7', '8'],
    ['ChargeId', A, ''],
    ['Message', `The charge ${A} is REFUND.`, `The charge ${B} is SUCCESS.`],
    ['Message', `Stored as ${A}`, `Stored as ${A} and ${B}`],
    ['Message', 'tok_insufficient_funds', 'tok_issuer_unavailable'],
    ['Name', `x${A}`, `x${B}`],
    ['Url', 'http://127.0.0.1:4010/hook', 'http://127.0.0.1:4011/hook'],
  ])('are not seen where there are none: %s %j and %j differ', (member, recorded, replayed) => {
    expect(new IdentifierMap().isAlike(member, recorded, replayed)).toBe(false);
  });

  test('of a request come back as they were sent', () => {
    const ids = new IdentifierMap();
    ids.findMissing({ body: { Reference: A } });
    expect(ids.isAlike('Reference', A, B)).toBe(false);
    expect(ids.isAlike('Reference', A, A)).toBe(true);
  });
});

describe('date-times', () => {
  test.each([
    ['2026-01-01T00:00:00.000Z', '2031-05-06T07:08:09.123Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T10:00:00.1234567+10:00'],
    ['2026-01-01T00:00:00', '2027-01-01T00:00:00'],
    ['gone since 2026-01-01T00:00:00Z.', 'gone since 2026-02-01T00:00:00Z.'],
  ])('%s is as good as %s', (recorded, replayed) => {
    expect(new IdentifierMap().isAlike('DateAdded', recorded, replayed)).toBe(true);
  });

  test.each([
    ['2026-01-01T00:00:00Z', 'never'],
    ['10/30', '11/30'],
    ['2026-01-01', '2026-01-02'],
  ])('%s is not %s', (recorded, replayed) => {
    expect(new IdentifierMap().isAlike('ExpireDate', recorded, replayed)).toBe(false);
  });
});

describe('a request', () => {
  test('is sent with the identifiers of the replay, wherever they stand', () => {
    const ids = new IdentifierMap();
    ids.pair(A, B);
    ids.pair(UUID, OTHER_UUID);
    const request = {
      path: `/charge/${A}/void`,
      query: `CustomerId=${A}&x=${UUID}`,
      body: {
        PaymentMethodId: A,
        Batch: `PaymentMethodId,Amount\n${A},5\n${C},6`,
        Deep: [{ Id: UUID }],
        N: 5,
      },
    };
    expect(ids.translate(request)).toEqual({
      path: `/charge/${B}/void`,
      query: `CustomerId=${B}&x=${OTHER_UUID}`,
      body: {
        PaymentMethodId: B,
        Batch: `PaymentMethodId,Amount\n${B},5\n${C},6`,
        Deep: [{ Id: OTHER_UUID }],
        N: 5,
      },
    });
  });

  test('names the call that should have returned the identifier that is missing', () => {
    const ids = new IdentifierMap();
    ids.noteAnswer(1, { ChargeId: A });
    ids.noteAnswer(2, { ChargeId: A, CustomerId: B });
    ids.pair(B, C);
    expect(
      ids.findMissing({ path: `/charge/${A}`, body: { CustomerId: B, ProviderId: UUID, Token: C } }),
    ).toEqual([
      { id: A, call: 1 },
      { id: C, call: null },
    ]);
  });
});
