import { PlaymoneyError } from '../calls/error.js';
import { CARD_ROWS, readCardInput } from './fields.js';
import { placeForm } from './form.js';
import { type CardInput, type Token, tokenise, type TokeniseTarget } from '../calls/tokenise.js';

/** A card form in a page. */
export interface CardForm {
  readonly element: HTMLFormElement;
  /** Writes a card into the fields. Fields that are left out are unchanged. */
  readonly setCard: (card: Partial<CardInput>) => void;
  /** Removes the form from the page. */
  readonly unmount: () => void;
}

export interface CardFormOptions extends TokeniseTarget {
  readonly onToken: (token: Token) => void | Promise<void>;
  /** Called with each error. The form shows the error as well. */
  readonly onError?: (error: PlaymoneyError) => void;
  readonly submitLabel?: string;
}

/**
 * Adds a card form to an element. Sending the form creates a token. Options are read when the form is sent, so they may be
 * getters. Throws a `PlaymoneyError` if there is no such element.
 */
export function mountCardForm(target: Element | string, options: CardFormOptions): CardForm {
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (!(place instanceof Element)) {
    const named = typeof target === 'string' ? ` ${target}` : '';
    throw new PlaymoneyError(`mountCardForm found no element${named}. Add it to the page first.`);
  }
  const { element, write, unmount } = placeForm(place, {
    submitLabel: options.submitLabel ?? 'Submit',
    onError: (error) => options.onError?.(error),
    rows: CARD_ROWS,
    async send(fields) {
      const { publicKey, providerId, baseUrl, onToken } = options;
      const shop = baseUrl === undefined ? { publicKey, providerId } : { publicKey, providerId, baseUrl };
      await onToken(await tokenise({ ...shop, card: readCardInput(fields) }));
    },
  });
  return { element, setCard: (card) => write({ ...card }), unmount };
}
