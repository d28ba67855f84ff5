import { type Child, createContext, useContext, useState } from 'hono/jsx/dom';

import { pretty } from './format.js';
import type { Store } from './store.js';
import type { Page } from './wire.js';

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
    <div class="empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

/** What is shown until an answer is there, or in its place. */
export function Waiting({ error }: { error: string | null }) {
  if (error === null) return <p class="soft">Loading…</p>;
  return (
    <p class="trouble" role="alert">
      {error}
    </p>
  );
}

/** A heading that takes the focus when one comes to its view. */
export function Title({ text, children }: { text: string; children?: Child }) {
  return (
    <div class="title">
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

/** Which part of a list is shown, and the ways to its neighbours. */
export function Pager({ page, hrefAt }: { page: Page; hrefAt: (skip: number) => string }) {
  const { Limit, Skip, Count } = page;
  const last = Math.min(Count, Skip + Limit);
  const shown = `${Math.min(Skip + 1, last).toLocaleString('en-GB')}–${last.toLocaleString('en-GB')}`;
  return (
    <nav class="pager" aria-label="Pages">
      <span class="soft">
        {shown} of {Count.toLocaleString('en-GB')}
      </span>
      {Skip > 0 ? <a href={hrefAt(Math.max(0, Skip - Limit))}>Newer</a> : null}
      {last < Count ? <a href={hrefAt(last)}>Older</a> : null}
    </nav>
  );
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
