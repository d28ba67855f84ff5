import type { PlaymoneyError } from './calls/error.js';
import type { mountCardForm } from './forms/card-form.js';
import type { Payfurl } from './payfurl/page-payments.js';
import type { tokenise } from './calls/tokenise.js';

/** The global that `sdk.js` adds to a page. */
export interface Playmoney {
  readonly tokenise: typeof tokenise;
  readonly mountCardForm: typeof mountCardForm;
  readonly PlaymoneyError: typeof PlaymoneyError;
}

declare global {
  // Only a `var` is both a property of `window` and a global name.
  var playmoney: Playmoney;
  var payfurl: Payfurl;
}
