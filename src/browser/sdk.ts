import { PlaymoneyError } from './errors.js';
import { mountCardForm } from './token-form.js';
import { tokenise } from './tokenise.js';

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

window.playmoney = { tokenise, mountCardForm, PlaymoneyError };
