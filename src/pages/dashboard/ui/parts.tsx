import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Loaded } from '../state/cache.js';
import type { Call } from '../state/wire.js';

export type Tone = 'good' | 'bad' | 'warn' | 'lost' | 'info' | 'due' | 'idle';

export function Mark({ tone, text }: { tone: Tone; text: string }) {
  return <span class={`mark ${tone}`}>{text}</span>;
}

const TONES: Readonly<Record<string, Tone>> = {
  SUCCESS: 'good',
  FAILED: 'bad',
  PENDING: 'warn',
  Authorised: 'info',
  RECEIVED: 'info',
  CREATED: 'info',
  IN_PROGRESS: 'info',
  CHALLENGED: 'warn',
  PASSED: 'good',
  Active: 'good',
  Suspended: 'warn',
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
};

export function Status({ of }: { of: string }) {
  return <Mark tone={TONES[of] ?? 'idle'} text={of} />;
}

const RESULT_TONES: Readonly<Record<Call['Result'], Tone>> = {
  done: 'good',
  declined: 'bad',
  refused: 'warn',
  unanswered: 'lost',
};

/** The result of a call: declined, as something decided; refused, because of a mistake; or no answer. */
export function Result({ of: { Result: result, Status: status } }: { of: Pick<Call, 'Result' | 'Status'> }) {
  const word = result === 'done' ? '' : ` ${result}`;
  return <Mark tone={RESULT_TONES[result]} text={status === 0 ? 'no answer' : `${status}${word}`} />;
}

const SAID_MS = 1_500;

interface CopyProps {
  readonly text: string;
  readonly label?: string;
  readonly of?: string;
  readonly kind?: string;
  /** The key that does it, on the whole page. */
  readonly hotkey?: string | undefined;
}

export function Copy({ text, label = 'Copy', of, kind = 'plain', hotkey }: CopyProps) {
  const [said, say] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'The browser does not allow it',
    );
    say(done);
    setTimeout(() => say(null), SAID_MS);
  };
  const name = of === undefined ? undefined : `${label} ${of}`;
  return (
    <button
      type="button"
      class={kind}
      aria-label={said ?? name}
      aria-keyshortcuts={hotkey}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

export function Code({ text, of }: { text: string; of: string }) {
  return (
    <div class="code">
      {/* It scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} aria-label={of} role="region">
        {text}
      </pre>
      <Copy text={text} of={of} />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="panel stack">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

interface WhenLoadedProps<T> {
  readonly of: Loaded<T>;
  readonly show: (data: T) => ComponentChildren;
}

export function WhenLoaded<T>({ of: { data, error }, show }: WhenLoadedProps<T>) {
  return data === null ? <Waiting error={error} /> : <>{show(data)}</>;
}

export function Waiting({ error }: { error: string | null }) {
  if (error === null) return <p class="soft">Loading…</p>;
  return (
    <p class="bad" role="alert">
      {error}
    </p>
  );
}

interface TitleProps {
  readonly text: string;
  /** What the title of the window says, if not the same. */
  readonly window?: string;
  /** A figure is larger. */
  readonly isFigure?: true;
  readonly children?: ComponentChildren;
}

/** The heading of a view, which takes the focus when the view opens, and the title of the window. */
export function Title({ text, window: named = text, isFigure, children }: TitleProps) {
  useLayoutEffect(() => {
    document.title = `${named} · playmoney`;
  }, [named]);
  return (
    <div class={isFigure ? 'row' : 'head row between'}>
      <h1 tabIndex={-1} class={isFigure ? 'figure num' : undefined}>
        {text}
      </h1>
      {children}
    </div>
  );
}

/** A button that sends a call at once. */
export function Button({ label, run, kind, children, ...more }: ButtonProps) {
  return (
    <button type="button" class={kind} aria-label={label} disabled={more.isDisabled} onClick={run}>
      {children}
    </button>
  );
}

interface ButtonProps {
  readonly run: () => void;
  /** The accessible name, for a button whose text others share. */
  readonly label?: string | undefined;
  readonly kind?: 'main' | 'plain' | 'danger' | undefined;
  readonly isDisabled?: boolean;
  readonly children?: ComponentChildren;
}

interface DialogProps {
  readonly title: string;
  readonly closed: () => void;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export function Dialog({ title, closed, class: more = '', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeft = useRef(false);
  // The browser fires `close` in a later task. A key that is pressed before it belongs to the page, and the next dialog must survive it.
  const leave = (): void => {
    if (isLeft.current) return;
    isLeft.current = true;
    dialog.current?.close();
    closed();
  };
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isLeft.current = true;
      // Gives the focus back.
      shown?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`stack ${more}`}
      aria-labelledby="dialog-title"
      onCancel={leave}
      onClose={leave}
      onMouseDown={({ target }) => {
        if (target === dialog.current) leave();
      }}
      onSubmit={({ target }) => {
        if ((target as HTMLFormElement).method === 'dialog') leave();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

interface AskedProps extends Omit<ButtonProps, 'run'> {
  readonly question: string;
  readonly consequence: string;
  readonly confirm: string;
  readonly run: () => void;
}

/** A button that asks first, because nothing undoes what it does. */
export function Asked({ question, consequence, confirm, run, children, label, ...button }: AskedProps) {
  const [isAsking, ask] = useState(false);
  const answer = (): void => {
    ask(false);
    run();
  };
  return (
    <>
      <Button {...button} label={label && `${label}…`} run={() => ask(true)}>
        {children}…
      </Button>
      {isAsking ? (
        <Dialog title={question} closed={() => ask(false)}>
          <p>{consequence}</p>
          <form method="dialog" class="row">
            <button type="button" class="danger" onClick={answer}>
              {confirm}
            </button>
            <button>Cancel</button>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}

/** Names and values. Null values are left out; empty ones are a dash. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="record">
      {of.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === '' ? '–' : value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
