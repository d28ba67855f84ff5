import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

import type { Loaded } from '../state/cache.js';
import type { BriefCall } from '../state/wire.js';

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

export function StatusMark({ status }: { status: string }) {
  return <Mark tone={TONES[status] ?? 'idle'} text={status} />;
}

const RESULT_TONES: Readonly<Record<BriefCall['Result'], Tone>> = {
  done: 'good',
  declined: 'bad',
  refused: 'warn',
  unanswered: 'lost',
};

/** The result of a call: declined, as something decided; refused, because of a mistake; or no answer. */
export function ResultMark({ call: { Result, Status } }: { call: Pick<BriefCall, 'Result' | 'Status'> }) {
  const word = Result === 'done' ? '' : ` ${Result}`;
  return <Mark tone={RESULT_TONES[Result]} text={Status === 0 ? 'no answer' : `${Status}${word}`} />;
}

const COPIED_MS = 1_500;

interface CopyProps {
  readonly text: string;
  readonly label?: string;
  readonly subject?: string;
  readonly kind?: string;
  /** The key that does it, on the whole page. */
  readonly hotkey?: string | undefined;
}

export function CopyButton({ text, label = 'Copy', subject, kind = 'plain', hotkey }: CopyProps) {
  const [said, say] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'The browser does not allow it',
    );
    say(done);
    setTimeout(() => say(null), COPIED_MS);
  };
  const name = subject === undefined ? undefined : `${label} ${subject}`;
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

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      {/* It scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} aria-label={label} role="region">
        {text}
      </pre>
      <CopyButton text={text} subject={label} />
    </div>
  );
}

export function EmptyPanel({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="panel stack">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

interface WhenLoadedProps<T> {
  readonly loaded: Loaded<T>;
  readonly show: (data: T) => ComponentChildren;
}

export function WhenLoaded<T>({ loaded: { data, error }, show }: WhenLoadedProps<T>) {
  return data === null ? <LoadingOrError error={error} /> : <>{show(data)}</>;
}

export function LoadingOrError({ error }: { error: string | null }) {
  if (error === null) return <p class="soft">Loading…</p>;
  return (
    <p class="bad" role="alert">
      {error}
    </p>
  );
}

interface TitleProps {
  readonly text: string;
  /** The title of the window. Default: `text`. */
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

export interface ButtonProps {
  readonly run: () => void;
  /** The accessible name, for a button whose text others share. */
  readonly label?: string | undefined;
  readonly kind?: 'main' | 'plain' | 'danger' | undefined;
  readonly isDisabled?: boolean;
  readonly children?: ComponentChildren;
}

/** Names and values. Null values are left out; empty ones are a dash. */
export function FactList({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="record">
      {facts.map(([name, value]) =>
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
