import { type Child, createContext, useContext, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';

import type { Loaded } from '../state/api.js';
import { pretty } from '../text/format.js';
import type { Store } from '../state/store.js';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'idle';

export function Badge({ tone, text }: { tone: Tone; text: string }) {
  return <span class={`badge ${tone}`}>{text}</span>;
}

const TONES: Readonly<Record<string, Tone>> = {
  SUCCESS: 'good',
  FAILED: 'bad',
  PENDING: 'warn',
  Authorised: 'info',
  AUTHORISE_CANCELLED: 'idle',
  PARTIAL_REFUND: 'idle',
  REFUND: 'idle',
  RECEIVED: 'info',
  CREATED: 'info',
  IN_PROGRESS: 'info',
  CHALLENGED: 'warn',
  PASSED: 'good',
  UNAVAILABLE: 'idle',
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
  withheld: 'idle',
};

export function Status({ of }: { of: string }) {
  return <Badge tone={TONES[of] ?? 'idle'} text={of} />;
}

/** The HTTP status of an answer; 0 means no answer. */
export function HttpStatus({ status }: { status: number }) {
  if (status === 0) return <Badge tone="bad" text="no answer" />;
  const tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad';
  return <Badge tone={tone} text={String(status)} />;
}

const SAID_MS = 1_500;

export function Copy({ text, label = 'Copy', of }: { text: string; label?: string; of?: string }) {
  const store = useStore();
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), SAID_MS);
    } catch {
      store.notify('The browser does not allow copying. Select the text and copy it.', true);
    }
  };
  const name = of === undefined ? undefined : `${label} ${of}`;
  return (
    <button type="button" class="small" aria-label={isDone ? 'Copied' : name} onClick={() => void copy()}>
      <span aria-live="polite">{isDone ? 'Copied' : label}</span>
    </button>
  );
}

export function Code({ text, of }: { text: string; of: string }) {
  return (
    <div class="code">
      {/* It scrolls, so the keyboard must reach it. */}
      <pre tabindex={0} aria-label={of}>
        {text}
      </pre>
      <Copy text={text} of={of} />
    </div>
  );
}

export function Json({ value, of }: { value: unknown; of: string }) {
  return <Code text={pretty(value)} of={of} />;
}

export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="panel stack">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

export function WhenLoaded<T>({ of: { data, error }, show }: { of: Loaded<T>; show: (data: T) => Child }) {
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

/** The heading of a view, which takes the focus when the view opens. */
export function Title({ text, children }: { text: string; children?: Child }) {
  return (
    <div class="title row">
      <h1 tabindex={-1}>{text}</h1>
      {children}
    </div>
  );
}

export function readForm(event: Event): {
  readonly form: HTMLFormElement;
  readonly texts: Readonly<Record<string, string>>;
} {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  const pairs = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : '',
  ]);
  return { form, texts: Object.fromEntries(pairs) as Record<string, string> };
}

export const StoreContext = createContext<Store | null>(null);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('useStore was called outside the dashboard.');
  return store;
}

/** Attributes of fields for names and keys, which no browser should correct. */
export const PLAIN_TEXT = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

/** The options of a select. One is selected at first: a value of the select itself would undo a choice at every refresh. */
export function Options({ of, selected }: { of: readonly string[]; selected?: string }) {
  return (
    <>
      {of.map((word) => (
        <option key={word} value={word} selected={word === selected}>
          {word}
        </option>
      ))}
    </>
  );
}

interface SearchProps {
  readonly label: string;
  readonly hint: string;
  readonly first?: string;
  readonly found: (text: string) => void;
}

export function Search({ label, hint, first = '', found }: SearchProps) {
  // The value of the attribute must not change while the user types.
  const [value] = useState(first);
  const search = ({ target }: Event): void => found((target as HTMLInputElement).value.trim().toLowerCase());
  return (
    <input type="search" aria-label={label} placeholder={`Filter: ${hint}`} value={value} onInput={search} />
  );
}

export interface ActProps {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly done: string | ((answer: unknown) => string);
  /** The accessible name, for a button whose text others share. */
  readonly label?: string | undefined;
  readonly kind?: 'small' | 'danger';
  readonly isDisabled?: boolean;
  readonly children?: Child;
}

/** A button that sends a call, or does something else first. */
export function Act({ clicked, ...act }: ActProps & { readonly clicked?: () => void }) {
  const store = useStore();
  const { method, path, body, done, label, kind, isDisabled = false, children } = act;
  const send = (): void => void store.act(method, path, body, done);
  return (
    <button type="button" class={kind} aria-label={label} disabled={isDisabled} onClick={clicked ?? send}>
      {children}
    </button>
  );
}

export function Dialog({ title, closed, children }: { title: string; closed: () => void; children?: Child }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="stack" aria-labelledby="dialog-title" onClose={closed}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/** Names and values. Null values are left out; empty ones are a dash. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: Child | null])[] }) {
  return (
    <dl class="facts row">
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

export function Choice({ title, about, children }: { title: string; about: Child; children?: Child }) {
  return (
    <li class="choice title row">
      <div>
        <p class="strong">{title}</p>
        <p class="soft">{about}</p>
      </div>
      <div class="row">{children}</div>
    </li>
  );
}
