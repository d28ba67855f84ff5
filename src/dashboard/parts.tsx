import { type Child, createContext, useContext, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';

import type { Loaded } from './api.js';
import { pretty } from './format.js';
import type { Store } from './store.js';

/** How something stands: said by its text, and shown by its colour as well. */
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

/** The status of a record, in the word of the interface. */
export function Status({ of }: { of: string }) {
  return <Badge tone={TONES[of] ?? 'idle'} text={of} />;
}

/** The status of an answer; 0 where none was given. */
export function HttpStatus({ status }: { status: number }) {
  if (status === 0) return <Badge tone="bad" text="no answer" />;
  const tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad';
  return <Badge tone={tone} text={String(status)} />;
}

/** How long a button says that it was done, in milliseconds. */
const SAID_MS = 1_500;

/** Copies a text. What it copies is named for those who do not see what stands beside it. */
export function Copy({ text, label = 'Copy', of }: { text: string; label?: string; of?: string }) {
  const store = useStore();
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), SAID_MS);
    } catch {
      store.say('The browser does not let this page copy; select the text.', true);
    }
  };
  const name = of === undefined ? undefined : `${label} ${of}`;
  return (
    <button type="button" class="small" aria-label={isDone ? 'Copied' : name} onClick={() => void copy()}>
      <span aria-live="polite">{isDone ? 'Copied' : label}</span>
    </button>
  );
}

/** A command or a document, with a button that copies it. */
export function Code({ text, of }: { text: string; of: string }) {
  return (
    <div class="code">
      {/* It scrolls, so that it has to be reached by the keyboard. */}
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

/** What to do where there is nothing to show. */
export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="panel stack">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

/** What the page makes of an answer of the sandbox, once it is there. */
export function Reading<T>({ of: { data, error }, show }: { of: Loaded<T>; show: (data: T) => Child }) {
  return data === null ? <Waiting error={error} /> : <>{show(data)}</>;
}

/** What is shown until an answer is there, or in its place. */
export function Waiting({ error }: { error: string | null }) {
  if (error === null) return <p class="soft">Loading…</p>;
  return (
    <p class="bad" role="alert">
      {error}
    </p>
  );
}

/** A heading that takes the focus when one comes to its view. */
export function Title({ text, children }: { text: string; children?: Child }) {
  return (
    <div class="title row">
      <h1 tabindex={-1}>{text}</h1>
      {children}
    </div>
  );
}

/** What stands in the fields of a form, by their names, without blanks around it. */
export function textsOf(event: Event): {
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

/** What the page knows, for any part of it. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('Failed to find the store: the part stands outside the dashboard.');
  return store;
}

/** Attributes of fields whose text is no word of a language. */
export const PLAIN_TEXT = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

/** The options of a choice among words. */
export function Options({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((word) => (
        <option key={word} value={word}>
          {word}
        </option>
      ))}
    </>
  );
}

/** A field that narrows down what is shown while somebody types. */
export function Search(props: { label: string; hint: string; found: (text: string) => void }) {
  const { label, hint, found } = props;
  const search = ({ target }: Event): void => found((target as HTMLInputElement).value.trim().toLowerCase());
  return <input type="search" aria-label={label} placeholder={`Filter: ${hint}`} onInput={search} />;
}

interface ActProps {
  /** The call that the button sends. */
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** What is said when it has succeeded. */
  readonly done: string | ((answer: unknown) => string);
  /** Names what it acts on, where the button stands beside others of its kind. */
  readonly label?: string;
  readonly kind?: 'small' | 'danger';
  readonly isDisabled?: boolean;
  readonly children?: Child;
}

/** A button that calls the sandbox, and says what came of it. */
export function Act({ method, path, body, done, label, kind, isDisabled = false, children }: ActProps) {
  const store = useStore();
  const said = typeof done === 'string' ? () => done : done;
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => void store.act(method, path, body, said)}
    >
      {children}
    </button>
  );
}

/** A window in front of the page, which keeps the focus until it is closed. */
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

/** Names and values; what is null is left out, and what is empty is a dash. */
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

/** One of a list that something can be done with. */
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
