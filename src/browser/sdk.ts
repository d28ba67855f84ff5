import { PlaymoneyError } from './call.js';
import { type CardForm, placeForm } from './card-form.js';
import { type Token, tokenise, type TokeniseTarget } from './tokenise.js';

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
  return placeForm(place, {
    submitLabel: options.submitLabel ?? 'Submit',
    onError: (error) => options.onError?.(error),
    async send(card) {
      const { publicKey, providerId, baseUrl, onToken } = options;
      const shop = baseUrl === undefined ? { publicKey, providerId } : { publicKey, providerId, baseUrl };
      await onToken(await tokenise({ ...shop, card }));
    },
  });
}

window.playmoney = { tokenise, mountCardForm, PlaymoneyError };
