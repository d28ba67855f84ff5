import { PlaymoneyError } from '../calls/error.js';
import { addStyle, makeElement } from './elements.js';
import { type FieldRow, FormFields } from './fields.js';

/** System colours follow the page's own colour scheme, so the form looks right on a light page and on a dark one. */
const STYLE = `
.playmoney-form { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; margin: 0; }
.playmoney-form > * { grid-column: 1 / -1; }
.playmoney-form > .playmoney-half { grid-column: auto; }
.playmoney-form label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
.playmoney-form input, .playmoney-form button {
  box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem;
  font: inherit; font-variant-numeric: tabular-nums; border-radius: 0.375rem;
}
.playmoney-form input {
  color: FieldText; background: Field; border: 1px solid color-mix(in srgb, CanvasText 45%, transparent);
}
.playmoney-form input[aria-invalid="true"] { border-color: light-dark(#b3261e, #ff9a92); }
.playmoney-form button {
  color: light-dark(#fff, #10131a); background: light-dark(#1d4ed8, #9db8ff); border: 0; font-weight: 600; cursor: pointer;
}
.playmoney-form button[aria-disabled="true"] { opacity: 0.6; cursor: default; }
.playmoney-form :focus-visible { outline: 3px solid light-dark(#1d4ed8, #9db8ff); outline-offset: 2px; }
.playmoney-form button[aria-busy="true"]::after {
  content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-inline-start: 0.6em; vertical-align: -0.1em;
  border: 2px solid currentColor; border-inline-start-color: transparent; border-radius: 50%;
  animation: playmoney-turn 0.9s linear infinite;
}
@keyframes playmoney-turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .playmoney-form button[aria-busy="true"]::after { animation: none; } }
.playmoney-form + .playmoney-form, .playmoney-way { margin-top: 1rem; }
.playmoney-way > summary { min-height: 2.75rem; line-height: 2.75rem; font-weight: 600; cursor: pointer; }
.playmoney-error, .playmoney-message { margin: 0.25rem 0 0; color: light-dark(#b3261e, #ff9a92); overflow-wrap: anywhere; }
.playmoney-error:empty, .playmoney-message:empty { display: none; }
.playmoney-hint { font-weight: 400; }
`;

interface FormWork {
  readonly submitLabel: string;
  /** Empty if the form is only a button. */
  readonly rows: readonly FieldRow[];
  /** Sends the form, which shows a `PlaymoneyError` that this rejects with. */
  readonly send: (fields: FormFields) => Promise<void>;
  readonly onError?: ((error: PlaymoneyError) => void) | undefined;
}

export interface Form {
  readonly element: HTMLFormElement;
  readonly write: (texts: Readonly<Record<string, string | undefined>>) => void;
  readonly relabel: (submitLabel: string) => void;
  readonly unmount: () => void;
}

const counts = { forms: 0 };

export function placeForm(place: Element, work: FormWork): Form {
  addStyle(STYLE);
  const fields = new FormFields(`playmoney-${++counts.forms}`, work.rows);
  const message = makeElement('p', { class: 'playmoney-message', role: 'alert' });
  const label = makeElement('span', {}, work.submitLabel);
  const button = makeElement('button', { type: 'submit' }, label);
  const form = makeElement('form', { class: 'playmoney-form' }, ...fields.blocks, button, message);
  // The form shows its own error messages, next to the fields.
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The element may be inside another form, which must not be sent.
    event.stopPropagation();
    if (button.getAttribute('aria-disabled') === 'true') return;
    message.textContent = '';
    if (fields.check()) void sendForm(fields, button, message, work);
  });
  place.append(form);
  return {
    element: form,
    write: (texts) => fields.write(texts),
    relabel: (submitLabel) => {
      label.textContent = submitLabel;
    },
    unmount: () => form.remove(),
  };
}

/** Sends the form. Until the answer arrives, the button keeps the focus, shows a spinner and does nothing. */
async function sendForm(
  fields: FormFields,
  button: HTMLButtonElement,
  message: HTMLElement,
  work: FormWork,
): Promise<void> {
  const wait = (isWaiting: boolean): void => {
    // As attributes, because jsdom does not have the properties.
    button.setAttribute('aria-disabled', String(isWaiting));
    button.setAttribute('aria-busy', String(isWaiting));
  };
  wait(true);
  try {
    await work.send(fields);
  } catch (error) {
    // Errors in the page's own code are not for the customer.
    if (!(error instanceof PlaymoneyError)) throw error;
    if (!fields.showErrors(error)) message.textContent = error.message;
    work.onError?.(error);
  } finally {
    wait(false);
  }
}

/**
 * The number of the current click within a double click, until the next frame; otherwise 0. The second click may come after the answer to
 * the first and hit another button. It must not pay again.
 */
export const click = { count: 0, isCounted: false };

export function countClicks(): void {
  if (click.isCounted) return;
  click.isCounted = true;
  const count = ({ detail }: MouseEvent): void => {
    click.count = detail;
    requestAnimationFrame(() => (click.count = 0));
  };
  window.addEventListener('click', count, { capture: true });
}
