import { describe, expect, test } from 'vitest';
import { passesLuhn } from '../../src/core/cards/card.js';
import { DEFAULT_PROVIDER_ID } from '../../src/outcomes/built-in.js';
import { findBehaviour } from '../../src/outcomes/behaviour.js';
import {
  findCardTrigger,
  isTestCard,
  MAGIC_CARDS,
  type ProviderOperation,
} from '../../src/outcomes/magic.js';
import { readMagicToken, TOKEN_OUTCOMES_MAX } from '../../src/outcomes/magic-tokens.js';
import { OUTCOMES } from '../../src/outcomes/outcomes.js';
import { decideAnswer } from '../../src/outcomes/provider.js';
import { call, OPERATIONS, providerState } from './support.js';

const APPROVING = MAGIC_CARDS.filter(({ effect }) => effect === 'approve').map(({ number }) => number);
/** Those whose effect is a decline of the charge and nothing more. */
const DECLINING = MAGIC_CARDS.flatMap(({ number, effect }) => {
  const [, outcome] = /^(\w+) on charge$/.exec(effect) ?? [];
  return outcome === undefined ? [] : [[number, outcome] as const];
});

function answerTo(trigger: string, operation: ProviderOperation) {
  return decideAnswer(call({ trigger, operation }), providerState());
}

function outcomesOf(trigger: string, operations: readonly ProviderOperation[]): string[] {
  const state = providerState();
  return operations.map((operation) => decideAnswer(call({ trigger, operation }), state).outcome.name);
}

function tokenTrigger(text: string): string {
  const result = readMagicToken(text);
  if (result?.kind !== 'token') throw new Error(`${text} is no usable token`);
  return result.token.trigger ?? '';
}

describe('a test card that approves', () => {
  test.each(APPROVING)('%s is published and has no trigger', (pan) => {
    expect(isTestCard(pan)).toBe(true);
    expect(findCardTrigger(pan)).toBeNull();
  });
});

describe('a magic card', () => {
  // charge, capture, void, refund, tokenise, store; a dot approves.
  test.each([
    ...DECLINING.map(([number, outcome]) => [number, outcome, '.', '.', '.', '.', '.']),
    ['4000000000000127', 'incorrect_ccv', '.', '.', '.', '.', 'incorrect_ccv'],
    ['4000000000000341', 'do_not_honor', '.', '.', '.', '.', '.'],
    ['4000000000000424', '.', '.', '.', '.', 'tokenise_error', 'tokenise_error'],
    ['4000000000000101', '.', '.', '.', '.', '.', '.'],
    ['4000000000002222', 'issuer_unavailable', '.', '.', '.', '.', '.'],
    ['4000000000000473', '.', 'unable_to_capture', '.', '.', '.', '.'],
    ['4000000000000481', '.', '.', 'unable_to_void', '.', '.', '.'],
    ['4000000000000457', '.', '.', '.', 'unable_to_refund', '.', '.'],
    ['4000000000000374', 'retry_later', '.', '.', '.', '.', '.'],
    ['4000000000004087', '.', '.', '.', '.', '.', '.'],
  ])('%s: charge %s, capture %s, void %s, refund %s, tokenise %s, store %s', (pan, ...outcomes) => {
    expect(isTestCard(pan)).toBe(true);
    expect(findCardTrigger(pan)).toBe(`card:${pan}`);
    for (const [index, operation] of OPERATIONS.entries()) {
      const expected = outcomes[index] === '.' ? 'approve' : outcomes[index];
      expect([operation, answerTo(`card:${pan}`, operation).outcome.name]).toEqual([operation, expected]);
    }
  });

  test('is named in the answer that it decides', () => {
    expect(answerTo('card:4000000000009995', 'charge.create').trigger).toBe('card:4000000000009995');
  });

  test('is not named in a capture that it does not decide', () => {
    expect(answerTo('card:4000000000000101', 'charge.capture').trigger).toBeNull();
  });

  test('that is published passes the Luhn check and is listed once', () => {
    const numbers = MAGIC_CARDS.map((card) => card.number);
    expect(numbers.filter((number) => !passesLuhn(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test.each(['4929000000006', '4012888888881881', '', 'constructor'])('is not %j', (pan) => {
    expect(isTestCard(pan)).toBe(false);
    expect(findCardTrigger(pan)).toBeNull();
  });

  test('4000000000000101 is approved with a Ccv that does not match', () => {
    expect(answerTo('card:4000000000000101', 'charge.create').ccvCheck).toBe(false);
    expect(answerTo('card:4000000000000101', 'card.store').ccvCheck).toBe(false);
  });

  test('4000000000000127 is declined with a Ccv that does not match', () => {
    expect(answerTo('card:4000000000000127', 'charge.create').ccvCheck).toBe(false);
    expect(answerTo('card:4000000000009995', 'charge.create').ccvCheck).toBe(true);
  });

  test('4000000000004087 hangs up on the charge and on nothing else', () => {
    expect(answerTo('card:4000000000004087', 'charge.create').hangUp).toBe(true);
    expect(answerTo('card:4000000000004087', 'card.store').hangUp).toBe(false);
    expect(answerTo('card:4000000000004087', 'charge.refund').hangUp).toBe(false);
    expect(answerTo('card:4000000000009995', 'charge.create').hangUp).toBe(false);
  });

  test('counts nothing when it always does the same', () => {
    const state = providerState();
    decideAnswer(call({ trigger: 'card:4000000000009995' }), state);
    expect(state.asked).toEqual([]);
  });
});

describe('a magic token', () => {
  const AFTER_CHARGES = [
    ['unable_to_capture', 'charge.capture'],
    ['unable_to_void', 'charge.void'],
    ['unable_to_refund', 'charge.refund'],
  ] as const;

  test('belongs to the first provider and stands for a Visa card', () => {
    expect(readMagicToken('tok_approve')).toEqual({
      kind: 'token',
      token: {
        type: 'CARD',
        trigger: 'token:tok_approve',
        pan: '4111111111111111',
        providerId: DEFAULT_PROVIDER_ID,
      },
    });
  });

  const chargeable = [...OUTCOMES.keys()].filter((name) => !name.startsWith('unable_to_'));
  test.each(chargeable)('tok_%s gives its outcome to the charge', (name) => {
    const answer = answerTo(tokenTrigger(`tok_${name}`), 'charge.create');
    expect(answer.outcome).toBe(OUTCOMES.get(name));
    expect(answer.trigger).toBe(`token:tok_${name}`);
  });

  test.each(AFTER_CHARGES)('tok_%s lets the charge pass and fails at %s', (name, operation) => {
    const trigger = tokenTrigger(`tok_${name}`);
    expect(outcomesOf(trigger, ['charge.create', operation])).toEqual(['approve', name]);
  });

  test.each([...OUTCOMES.keys()].filter((name) => name !== 'tokenise_error'))(
    'tok_%s can be stored',
    (name) => {
      const names = outcomesOf(tokenTrigger(`tok_${name}`), ['card.store', 'card.tokenise']);
      expect(names).toEqual(['approve', 'approve']);
    },
  );

  test('tok_tokenise_error cannot be stored', () => {
    expect(answerTo(tokenTrigger('tok_tokenise_error'), 'card.store').outcome.name).toBe('tokenise_error');
  });

  test.each(AFTER_CHARGES)('with a list counts charges apart from what %s is about', (name, operation) => {
    const state = providerState();
    const trigger = tokenTrigger(`tok_lost_card|${name}`);
    const asked = ['charge.create', 'charge.create', operation, operation, operation] as const;
    const names = asked.map((one) => decideAnswer(call({ trigger, operation: one }), state).outcome.name);
    expect(names).toEqual(['lost_card', 'approve', 'approve', name, name]);
    expect(state.asked).toEqual([trigger, trigger, ...Array<string>(3).fill(`${trigger} ${operation}`)]);
  });

  test('neither hangs up nor finds fault with the Ccv', () => {
    const answer = answerTo(tokenTrigger('tok_lost_card'), 'charge.create');
    expect([answer.hangUp, answer.ccvCheck]).toEqual([false, true]);
  });

  test('with a list is counted apart from other lists', () => {
    const state = providerState();
    const [one, other] = ['tok_lost_card|approve', 'tok_lost_card|approve|approve'].map(tokenTrigger);
    decideAnswer(call({ trigger: one ?? '' }), state);
    expect(decideAnswer(call({ trigger: other ?? '' }), state).outcome.name).toBe('lost_card');
  });

  test.each([
    ['tok_used', 'used'],
    ['tok_expired', 'expired'],
  ])('%s is refused as %s', (text, reason) => {
    expect(readMagicToken(text)).toEqual({ kind: 'refused', reason });
  });

  test('with an unknown payment type names the nearest one', () => {
    expect(readMagicToken('tok_paypall')).toEqual({
      kind: 'fault',
      detail: 'There is no payment type "paypall"; did you mean tok_paypal?',
    });
  });

  test('with an unknown outcome names the nearest ones', () => {
    expect(readMagicToken('tok_insuficient_funds')).toEqual({
      kind: 'fault',
      detail: expect.stringMatching(/unknown outcome "insuficient_funds"; did you mean insufficient_funds\?/),
    });
  });

  const MALFORMED = 'tok_,tok_|approve,tok_approve|,tok_approve|tok_approve,tok_approve|used,tok_ approve';
  test.each(MALFORMED.split(','))('is not %j', (text) => {
    expect(readMagicToken(text)?.kind).toBe('fault');
  });

  test(`lists at most ${TOKEN_OUTCOMES_MAX} outcomes`, () => {
    const list = (length: number) => `tok_${Array.from({ length }, () => 'approve').join('|')}`;
    expect(readMagicToken(list(TOKEN_OUTCOMES_MAX))?.kind).toBe('token');
    expect(readMagicToken(list(TOKEN_OUTCOMES_MAX + 1))).toEqual({
      kind: 'fault',
      detail: 'A token can list at most 20 outcomes, not 21',
    });
  });

  test('never writes a card number into its fault', () => {
    expect(JSON.stringify(readMagicToken('tok_4929000000006'))).not.toContain('4929000000006');
  });

  test.each(['', 'tok', 'TOK_approve', '5e0f3a0c5e0f3a0c5e0f3a0c5e0f3a0c'])(
    'is not recognised in %j',
    (text) => {
      expect(readMagicToken(text)).toBeUndefined();
    },
  );
});

describe('calls one after the other', () => {
  // C charges, r refunds, t tokenises, s stores; a dot approves.
  const CALLS = { C: 'charge.create', r: 'charge.refund', t: 'card.tokenise', s: 'card.store' } as const;

  test.each<[source: string, calls: string, outcomes: string]>([
    ['card:4000000000002222', 'CCCCC', 'issuer_unavailable issuer_unavailable . . .'],
    ['card:4000000000002222', 'stC', '. . issuer_unavailable'],
    ['tok_lost_card', 'CCC', 'lost_card lost_card lost_card'],
    ['tok_issuer_unavailable|lost_card|approve', 'CCCCC', 'issuer_unavailable lost_card . . .'],
    ['tok_approve|lost_card', 'CCCC', '. lost_card lost_card lost_card'],
    ['tok_lost_card|approve', 'sCC', '. lost_card .'],
    ['tok_unable_to_refund|approve', 'Crr', '. unable_to_refund .'],
    ['tok_tokenise_error|approve', 'ssC', 'tokenise_error . .'],
  ])('of %s: %s gives %s', (source, calls, outcomes) => {
    const trigger = source.startsWith('tok_') ? tokenTrigger(source) : source;
    const operations = [...calls].map((letter) => CALLS[letter as keyof typeof CALLS]);
    expect(outcomesOf(trigger, operations)).toEqual(outcomes.replaceAll('.', 'approve').split(' '));
  });
});

describe('a stored trigger that this version does not know', () => {
  test.each([
    'card:4242424242424242',
    'account:000123456',
    'token:tok_gone',
    'token:',
    'other:tok_lost_card',
    'other:tok_lost_card|approve',
    'other',
  ])('%s changes nothing', (trigger) => {
    expect(findBehaviour(trigger)).toBeUndefined();
    expect(answerTo(trigger, 'charge.create')).toMatchObject({ outcome: { name: 'approve' }, trigger: null });
  });
});
