import { mountCardForm } from './card-form.js';
import { PlaymoneyError } from './errors.js';
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
