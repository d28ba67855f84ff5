import { element } from './elements.js';
import { PlaymoneyError } from './errors.js';
import { CardFields } from './fields.js';
import { styleForms } from './form-style.js';
import { type CardInput, type Token, tokenise, type TokeniseTarget } from './tokenise.js';

export interface CardFormOptions extends TokeniseTarget {
  readonly onToken: (token: Token) => void | Promise<void>;
  /** Told of each refusal, which the form shows by itself. */
  readonly onError?: (error: PlaymoneyError) => void;
  readonly submitLabel?: string;
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

/**
 * Puts a form for a card into an element. Options are read when the form is sent, so a getter may change them. Throws a
 * `PlaymoneyError` when there is no such element.
 */
export function mountCardForm(target: Element | string, options: CardFormOptions): CardForm {
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (!(place instanceof Element)) {
    const named = typeof target === 'string' ? ` ${target}` : '';
    throw new PlaymoneyError(`mountCardForm found no element${named}. Call it once the page has one.`);
  }
  styleForms();
  const fields = new CardFields(`playmoney-${++counts.forms}`);
  const message = element('p', { class: 'playmoney-message', role: 'alert' });
  const button = element('button', { type: 'submit' }, options.submitLabel ?? 'Submit');
  const form = element('form', { class: 'playmoney-form' }, ...fields.blocks, button, message);
  // The form names faults beside their fields, in its own words.
  form.noValidate = true;
  const sending = new Sending(button);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (sending.isUnderWay) return;
    message.textContent = '';
    if (!fields.check()) return;
    void sending.during(() => send(fields, message, options));
  });
  place.append(form);
  return { element: form, setCard: (card) => fields.write(card), unmount: () => form.remove() };
}

async function send(fields: CardFields, message: HTMLElement, options: CardFormOptions): Promise<void> {
  const { publicKey, providerId, baseUrl, onToken, onError } = options;
  try {
    const target = baseUrl === undefined ? { publicKey, providerId } : { publicKey, providerId, baseUrl };
    const token = await tokenise({ ...target, card: fields.card });
    await onToken(token);
  } catch (error) {
    // What the page itself throws is not for its customer.
    if (!(error instanceof PlaymoneyError)) throw error;
    if (!fields.refuse(error.details)) message.textContent = error.message;
    onError?.(error);
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
