import { useState } from 'preact/hooks';

import type { RecordAction, ReachedState, PossibleStep } from '../text/steps.js';

interface PathProps {
  readonly nodes: readonly ReachedState[];
  /** Calls that failed and so led nowhere, such as "1 capture declined". */
  readonly failed: string;
  readonly next: readonly PossibleStep[];
  readonly busy: boolean;
  readonly hasKey: boolean;
  readonly onAct: (act: RecordAction) => void;
}

/** The states that a record went through. What can follow are the buttons at its end. */
export function StatePath({ nodes, failed, next, busy, hasKey, onAct }: PathProps) {
  const [asking, ask] = useState<string | null>(null);
  const chosen = next.find(({ name }) => name === asking);
  return (
    <>
      <ol class="path">
        {nodes.map(({ name, detail, isUnheard }, n) => (
          <li key={name}>
            {n === 0 ? null : <span class="arrow" aria-hidden="true" />}
            <span
              class={n === nodes.length - 1 ? 'node here' : 'node'}
              aria-current={n === nodes.length - 1 ? 'step' : undefined}
            >
              <b>{name}</b>
              <small>{detail}</small>
              {isUnheard ? <span class="mark lost">answer lost</span> : null}
            </span>
          </li>
        ))}
        {failed === '' && next.length === 0 ? null : (
          <li class="fork">
            <span class="arrow maybe" aria-hidden="true" />
            {failed === '' ? null : <span class="mark bad">{failed}</span>}
          </li>
        )}
        {next.length === 0 ? null : (
          <li class="next">
            {next.map((step) => (
              <NextStep
                key={step.name}
                step={step}
                busy={busy}
                isLocked={!hasKey && step.act('').does === 'call'}
                isAsking={step.name === asking}
                onClick={() =>
                  step.most === null ? onAct(step.act('')) : ask(step.name === asking ? null : step.name)
                }
              />
            ))}
          </li>
        )}
      </ol>
      {chosen === undefined || chosen.most === null ? null : (
        <AskAmount key={chosen.name} step={chosen} most={chosen.most} busy={busy} onAct={onAct} />
      )}
    </>
  );
}

interface NextStepProps {
  readonly step: PossibleStep;
  readonly busy: boolean;
  /** Whether it needs a key that is not known. */
  readonly isLocked: boolean;
  readonly isAsking: boolean;
  readonly onClick: () => void;
}

function NextStep({ step: { name, detail, most }, busy, isLocked, isAsking, onClick }: NextStepProps) {
  return (
    <button
      type="button"
      disabled={busy || isLocked}
      aria-expanded={most === null ? undefined : isAsking}
      onClick={onClick}
    >
      <b>{most === null ? name : `${name}…`}</b>
      <small>{isLocked ? 'key not known here' : detail}</small>
    </button>
  );
}

interface AskAmountProps extends Pick<PathProps, 'busy' | 'onAct'> {
  readonly step: PossibleStep;
  readonly most: string;
}

function AskAmount({ step, most, busy, onAct }: AskAmountProps) {
  const [amount, setAmount] = useState(most);
  return (
    <form
      class="row ask"
      onSubmit={(event) => {
        event.preventDefault();
        onAct(step.act(amount));
      }}
    >
      <label>
        Amount{' '}
        <input
          class="num"
          inputMode="decimal"
          value={amount}
          autoFocus
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
      </label>
      <button class="main" disabled={busy}>
        {step.name}
      </button>
      <span class="soft">at most {most}</span>
    </form>
  );
}
