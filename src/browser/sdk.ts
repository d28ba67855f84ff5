import { PlaymoneyError } from './call.js';
import { CARD_ROWS, cardIn } from './fields.js';
import { placeForm } from './form.js';
import { type CardInput, type Token, tokenise, type TokeniseTarget } from './tokenise.js';

/** What a page finds as `window.playmoney`. */
export interface Playmoney {
  readonly tokenise: typeof tokenise;
  readonly mountCardForm: typeof mountCardForm;
  readonly PlaymoneyError: typeof PlaymoneyError;
}

declare global {
  interface Window {
    playmoney: Playmoney;
  }
}

/** A form for a card in a page. */
export interface CardForm {
  readonly element: HTMLFormElement;
  /** Writes a card into the fields; what is left out stays. */
  readonly setCard: (card: Partial<CardInput>) => void;
  /** Takes the form out of the page. */
  readonly unmount: () => void;
}

export interface CardFormOptions extends TokeniseTarget {
  readonly onToken: (token: Token) => void | Promise<void>;
  /** Told of each refusal, which the form shows by itself. */
  readonly onError?: (error: PlaymoneyError) => void;
  readonly submitLabel?: string;
}

/**
 * Puts a form for a card into an element, and makes a token of what is typed there. Options are read when the form is sent,
 * so a getter may change them. Throws a `PlaymoneyError` when there is no such element.
 */
export function mountCardForm(target: Element | string, options: CardFormOptions): CardForm {
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (!(place instanceof Element)) {
    const named = typeof target === 'string' ? ` ${target}` : '';
    throw new PlaymoneyError(`mountCardForm found no element${named}. Call it once the page has one.`);
  }
  const { element, write, unmount } = placeForm(place, {
    submitLabel: options.submitLabel ?? 'Submit',
    onError: (error) => options.onError?.(error),
    rows: CARD_ROWS,
    async send(fields) {
      const { publicKey, providerId, baseUrl, onToken } = options;
      const shop = baseUrl === undefined ? { publicKey, providerId } : { publicKey, providerId, baseUrl };
      await onToken(await tokenise({ ...shop, card: cardIn(fields) }));
    },
  });
  return { element, setCard: (card) => write({ ...card }), unmount };
}

window.playmoney = { tokenise, mountCardForm, PlaymoneyError };
