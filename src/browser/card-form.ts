import { element } from './elements.js';
import { PlaymoneyError } from './errors.js';
import { CardFields, type FieldRow } from './fields.js';
import { styleForms } from './form-style.js';
import type { CardInput } from './tokenise.js';

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
  /** Writes a card into the fields; members that are left out stay. */
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
  const sending = new Sending(button);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (sending.isUnderWay) return;
    message.textContent = '';
    if (fields.check()) void sending.during(() => send(fields, message, work));
  });
  place.append(form);
  return { element: form, setCard: (card) => fields.write(card), unmount: () => form.remove() };
}

async function send(fields: CardFields, message: HTMLElement, work: FormWork): Promise<void> {
  try {
    await work.send(fields.card, fields);
  } catch (error) {
    // What the page itself throws is not for its customer.
    if (!(error instanceof PlaymoneyError)) throw error;
    if (!fields.refuse(error)) message.textContent = error.message;
    work.onError?.(error);
  }
}

/** A button that is being answered: it stays in focus, and does nothing. */
class Sending {
  isUnderWay = false;

  constructor(private readonly button: HTMLButtonElement) {}

  async during(work: () => Promise<void>): Promise<void> {
    this.#set(true);
    try {
      await work();
    } finally {
      this.#set(false);
    }
  }

  #set(isUnderWay: boolean): void {
    this.isUnderWay = isUnderWay;
    this.button.setAttribute('aria-disabled', String(isUnderWay));
  }
}
