import { useEffect, useState } from 'preact/hooks';

import { store } from '../state/store.js';
import type { HeldCall, TriggersResponse } from '../state/wire.js';
import { formatQuantity } from '../text/format.js';
import { describeDeadline, describeHeldCall, type HandChoice, listHandChoices } from '../text/decide/held.js';
import { Button } from '../ui/button.js';
import { OptionList } from '../ui/fields.js';
import { listPageWords } from '../views/decide/next-answer.js';

const TICK_MS = 1000;

/** The calls that wait for a decision, on whatever view is open. */
export function WaitingCalls() {
  const waiting = store.seen.value?.Waiting ?? [];
  if (waiting.length === 0) return null;
  return (
    <section class="held" aria-label="Calls that wait">
      {/* The seconds below would be read aloud each time. */}
      <p class="unseen" role="status">
        {formatQuantity(waiting.length, 'call waits', 'calls wait')} for your decision.
      </p>
      {waiting.map((call) => (
        <HeldRow key={call.HoldId} call={call} />
      ))}
    </section>
  );
}

function HeldRow({ call }: { call: HeldCall }) {
  const now = useSeconds();
  const hasOutcomes = listPageWords('operations').includes(call.Operation);
  return (
    <div class="row">
      <span>
        <b>{describeHeldCall(call, now)}</b> <span class="soft">{describeDeadline(call, now)}</span>
      </span>
      <span class="row">
        {listHandChoices(call, hasOutcomes).map((choice) => (
          <Button
            key={choice.label}
            kind={choice.label === 'Approve' ? 'main' : undefined}
            run={() => void decideByHand(call, choice)}
          >
            {choice.label}
          </Button>
        ))}
        {hasOutcomes && !call.Answer ? <DeclineSelect call={call} /> : null}
      </span>
    </div>
  );
}

/** The outcomes that decline a call. */
function DeclineSelect({ call }: { call: HeldCall }) {
  const { data } = store.cache.read<TriggersResponse>('/triggers', 'fixed');
  const declines = data?.Outcomes.filter(({ Code }) => Code !== null) ?? [];
  const decline = (Outcome: string): void => {
    if (Outcome !== '')
      void decideByHand(call, { label: '', body: { Outcome }, done: `Decided: ${Outcome}.` });
  };
  return (
    <select aria-label="Decline" value="" onChange={({ currentTarget }) => decline(currentTarget.value)}>
      <option value="">Decline…</option>
      <OptionList words={declines.map(({ Outcome }) => Outcome)} />
    </select>
  );
}

function decideByHand({ HoldId }: HeldCall, { body, done }: HandChoice): Promise<unknown> {
  return store.callAndNotify('POST', `/hold/${HoldId}`, body, done);
}

/** The time of this computer, which moves each second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
