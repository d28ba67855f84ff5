import type { PlaymoneyError } from './call.js';
import type { mountCardForm } from './card-form.js';
import type { Payfurl } from './page-payments.js';
import type { tokenise } from './tokenise.js';

/** What `sdk.js` adds to a page. */
export interface Playmoney {
  readonly tokenise: typeof tokenise;
  readonly mountCardForm: typeof mountCardForm;
  readonly PlaymoneyError: typeof PlaymoneyError;
}

declare global {
  // Only a `var` is both a property of `window` and a name of its own.
  var playmoney: Playmoney;
  var payfurl: Payfurl;
}
