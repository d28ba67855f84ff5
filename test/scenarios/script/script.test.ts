import { describe, expect, test } from 'vitest';

import { Chance } from '../../../src/core/ids/chance.js';
import { requireOutcome } from '../../../src/outcomes/outcomes.js';
import type { MatchConditions, ScriptStep } from '../../../src/scenarios/script/model.js';
import { QUEUED_STEPS_MAX } from '../../../src/scenarios/script/queue.js';
import { Script } from '../../../src/scenarios/script/script.js';
import { playTimelineEntry, timelineOf } from '../../../src/scenarios/script/timeline.js';
import { call, type Play, play, playOf, scenarioOf } from '../support.js';

const answer = (name: string): ScriptStep => ({ outcome: name, phase: 'before' });

const queue = (script: Script, steps: readonly ScriptStep[], match: MatchConditions = {}): number =>
  script.enqueue({ operation: 'charge.create', match, steps });

const fresh = (): Play => playOf(new Script(), new Chance('1', 'sk_test_local'));

describe('queues', () => {
  test('steps are used up in order, and then there is nothing to say', () => {
    const { script, say } = fresh();
    expect(script.decidesNothing).toBe(true);
    queue(script, [
      answer('issuer_unavailable'),
      { fault: { kind: 'reset' }, phase: 'after' },
      answer('approve'),
    ]);
    expect(script.decidesNothing).toBe(false);
    expect(say(4)).toBe('issuer_unavailable reset approve -');
    expect(script.decidesNothing).toBe(true);
  });

  test('an entry serves its own operation alone, the earlier one first', () => {
    const { script, say } = fresh();
    expect(queue(script, [answer('lost_card')])).toBe(1);
    expect(queue(script, [answer('stolen_card')])).toBe(2);
    expect(say(1, { operation: 'charge.capture' })).toBe('-');
    expect(say(3)).toBe('lost_card stolen_card -');
  });

  test.each<[MatchConditions, boolean]>([
    [{ reference: 'order-*' }, true],
    [{ reference: 'invoice' }, false],
    [{ providerId: '00000000-0000-0000-0000-000000000001' }, true],
    [{ providerId: '00000000000000000000000000000002' }, false],
    [{ cardNumber: '4111111111111111' }, true],
    [{ cardNumber: '4242*' }, false],
    [{ amount: '20.00' }, true],
    [{ amount: '20', reference: 'other' }, false],
  ])('a match of %j fits the call: %s', (match, fits) => {
    const { script, decide } = fresh();
    queue(script, [answer('lost_card')], match);
    expect(decide() !== null).toBe(fits);
  });

  test('what is left is listed, and can be emptied without giving numbers again', () => {
    const { script, say } = fresh();
    queue(script, [answer('lost_card'), answer('approve')], { reference: 'order-7' });
    say(1);
    expect(script.queues()).toEqual([
      { id: 1, operation: 'charge.create', match: { reference: 'order-7' }, steps: [answer('approve')] },
    ]);
    script.emptyQueues();
    expect([script.queues(), script.decidesNothing, queue(script, [answer('approve')])]).toEqual([
      [],
      true,
      2,
    ]);
  });

  test('a delayed step says how long', () => {
    const { script, decide } = fresh();
    queue(script, [{ delay: { kind: 'fixed', ms: 250 }, phase: 'after' }]);
    expect(decide()).toEqual({
      trigger: 'queue:1',
      outcome: null,
      fault: null,
      delayMs: 250,
      advanceMs: 0,
      phase: 'after',
    });
  });

  test('a world that holds too many steps takes no more', () => {
    const { script } = fresh();
    queue(
      script,
      Array.from({ length: QUEUED_STEPS_MAX }, () => answer('approve')),
    );
    expect(() => queue(script, [answer('approve')])).toThrow('the maximum is 10000. Empty the queues');
  });
});

describe('precedence', () => {
  test('a queue overrides the rules, which still count the call', async () => {
    const { script, say } = await play(
      '  - {when: {nth: 2}, then: {outcome: stolen_card}}\n  - {then: {outcome: lost_card}}\n',
    );
    queue(script, [answer('approve')]);
    expect(say(3)).toBe('approve stolen_card lost_card');
  });

  test('a call that is decided above all of them uses nothing up, and rules that count still count it', async () => {
    const { script, say } = await play(
      '  - {when: {nth: 2}, then: {outcome: stolen_card}}\n  - {then: {outcome: lost_card}, times: 1}\n',
    );
    queue(script, [answer('approve')]);
    expect(script.decide(call(), new Chance('1', 'sk_test_local'), true)).toBeNull();
    expect([say(1), script.matched().map(({ matched }) => matched)]).toEqual(['approve', [0, 0]]);
    expect(say(2)).toBe('lost_card -');
  });

  test('a provider that is down answers no rule, but what is queued comes from the queue', async () => {
    const { script, decide } = await play('  - {then: {outcome: approve}}\n');
    script.setProviderDown('00000000-0000-0000-0000-000000000001', true);
    queue(script, [answer('lost_card')]);
    expect([decide()?.trigger, decide()?.trigger]).toEqual(['queue:1', 'timeline:steady down']);
  });

  test('no scenario and no queue leave every call alone', () => {
    const { script, decide } = fresh();
    expect([script.decidesNothing, decide(), script.scenario]).toEqual([true, null, null]);
  });

  test('a switch begins at the first call again and keeps what is queued', async () => {
    const scenario = await scenarioOf(
      'name: a\nrules: [{then: {outcome: lost_card, state: {x: 1}}, times: 1}]',
    );
    const { script, say } = fresh();
    script.startScenario(scenario);
    say(2);
    queue(script, [answer('approve')]);
    script.startScenario(scenario);
    expect([script.state(), say(3)]).toEqual([{}, 'approve lost_card -']);
    script.startScenario(null);
    expect([script.decidesNothing, script.matched()]).toEqual([true, []]);
  });
});

describe('timeline', () => {
  const STORY = `
name: an hour without the provider
timeline:
  - {at: +1h, do: {providerDown: steady}}
  - {at: +2h, do: {providerUp: steady}}
  - {at: +3h, do: {setState: {season: winter}}}
`;

  test('its entries are due relative to the switch', async () => {
    const entries = timelineOf(await scenarioOf(STORY));
    expect(entries.map(({ at }) => at / 3_600_000)).toEqual([1, 2, 3]);
    expect(timelineOf(null)).toEqual([]);
  });

  test('a provider goes down for what is asked of it, and comes back', async () => {
    const { script, decide, say } = fresh();
    script.startScenario(await scenarioOf(STORY));
    expect(script.decidesNothing).toBe(true);
    playTimelineEntry(script, '0');
    expect(script.decidesNothing).toBe(false);
    expect(decide()).toMatchObject({ trigger: 'timeline:steady down' });
    expect(say(1, { operation: 'charge.refund' })).toBe('provider_unavailable');
    expect(say(1, { operation: 'charge.read' })).toBe('-');
    expect(say(1, { providerId: '00000000000000000000000000000002' })).toBe('-');
    playTimelineEntry(script, '1');
    expect([say(1), script.decidesNothing]).toEqual(['-', true]);
    playTimelineEntry(script, '2');
    playTimelineEntry(script, '99');
    expect(script.state()).toEqual({ season: 'winter' });
  });
});

describe('determinism', () => {
  const STORY = `
  - {when: {every: 3}, then: {outcome: issuer_unavailable, delay: {median: 800ms, sigma: 0.5}}}
  - {when: {amount: {gt: 100}}, then: {fault: {quota: 2, window: 1m}}}
  - {when: {state: {hot: true}}, then: {fault: reset, state: {hot: null}}, times: 5}
  - {when: {reference: '*5'}, then: {delay: {min: 1ms, max: 9s}, state: {hot: true}}}
`;
  const calls = Array.from({ length: 60 }, (_, n) =>
    call({ now: n * 7000, amount: String(n * 5), reference: `order-${n}` }),
  );

  test('the same seed and calls give the same verdicts', async () => {
    const run = async () => {
      const { script } = await play(STORY);
      const chance = new Chance('7', 'sk_test_local');
      return calls.map((facts) => script.decide(facts, chance));
    };
    expect(await run()).toEqual(await run());
  });

  test.each([0, 1, 13, 30, 59])('a script restored after %i calls goes on the same', async (count) => {
    const { script } = await play(STORY);
    script.setProviderDown('0000000000000000000000000000000b', true);
    queue(script, [answer('lost_card'), answer('incorrect_ccv')], { reference: 'order-3?' });
    const chance = new Chance('7', 'sk_test_local');
    const other = new Chance('7', 'sk_test_local');
    for (const facts of calls.slice(0, count)) {
      script.decide(facts, chance);
    }
    const restored = new Script();
    restored.restore(structuredClone(script.snapshot()));
    const counted = await play(STORY);
    queue(counted.script, [answer('lost_card'), answer('incorrect_ccv')], { reference: 'order-3?' });
    for (const facts of calls.slice(0, count)) counted.script.decide(facts, other);

    const rest = calls.slice(count);
    expect(rest.map((facts) => restored.decide(facts, other))).toEqual(
      rest.map((facts) => script.decide(facts, chance)),
    );
    expect(restored.matched()).toEqual(script.matched());
    expect(restored.snapshot()).toEqual(script.snapshot());
    expect(queue(restored, [answer('approve')])).toBe(2);
  });

  test('outcomes come back as the ones of the table, not as copies', () => {
    const { script } = fresh();
    queue(script, [answer('incorrect_ccv')]);
    const restored = new Script();
    restored.restore(structuredClone(script.snapshot()));
    const verdict = restored.decide(call(), new Chance('1', 'k'));
    expect(verdict?.outcome).toBe(requireOutcome('incorrect_ccv'));
  });
});
