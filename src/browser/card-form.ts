import { PlaymoneyError } from './call.js';
import { element } from './elements.js';
import { CardFields, type FieldRow } from './fields.js';
import type { CardInput } from './tokenise.js';

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
.playmoney-error, .playmoney-message { margin: 0.25rem 0 0; color: light-dark(#b3261e, #ff9a92); overflow-wrap: anywhere; }
.playmoney-error:empty, .playmoney-message:empty { display: none; }
.playmoney-hint { font-weight: 400; }
`;

const sheets: { made: CSSStyleSheet | null } = { made: null };

/** Styles the forms of the page, once. A constructed sheet passes a strict content security policy, which an inline one does not. */
function styleForms(): void {
  if (sheets.made !== null) return;
  sheets.made = new CSSStyleSheet();
  sheets.made.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheets.made];
}

/** What becomes of a card that was typed. */
export interface FormWork {
  readonly submitLabel: string;
  /** What the form asks for besides, in front of the card. */
  readonly more?: readonly FieldRow[];
  /** Sends the card; a `PlaymoneyError` is shown in the form. */
  readonly send: (card: CardInput, fields: CardFields) => Promise<void>;
  readonly onError?: ((error: PlaymoneyError) => void) | undefined;
}

/** A form in a page. */
export interface CardForm {
  readonly element: HTMLFormElement;
  /** Writes a card into the fields; what is left out stays. */
  setCard(card: Partial<CardInput>): void;
  /** Takes the form out of the page. */
  unmount(): void;
}

const counts = { forms: 0 };

/** Puts a form for a card into an element. */
export function placeForm(place: Element, work: FormWork): CardForm {
  styleForms();
  const fields = new CardFields(`playmoney-${++counts.forms}`, work.more ?? []);
  const message = element('p', { class: 'playmoney-message', role: 'alert' });
  const button = element('button', { type: 'submit' }, work.submitLabel);
  const form = element('form', { class: 'playmoney-form' }, ...fields.blocks, button, message);
  // The form names faults beside their fields, in its own words.
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    message.textContent = '';
    if (fields.check()) void send(fields, button, message, work);
  });
  place.append(form);
  return { element: form, setCard: (card) => fields.write(card), unmount: () => form.remove() };
}

/** Sends what was typed. Until that is answered, the button stays in focus and does nothing. */
async function send(
  fields: CardFields,
  button: HTMLButtonElement,
  message: HTMLElement,
  work: FormWork,
): Promise<void> {
  button.ariaDisabled = 'true';
  try {
    await work.send(fields.card, fields);
  } catch (error) {
    // What the page itself throws is not for its customer.
    if (!(error instanceof PlaymoneyError)) throw error;
    if (!fields.refuse(error)) message.textContent = error.message;
    work.onError?.(error);
  } finally {
    button.ariaDisabled = 'false';
  }
}
