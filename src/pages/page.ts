import { Payfurl } from './payfurl/page-payments.js';

/** The exports for pages and their tests: those of the scripts, without a script tag. Importing it changes nothing in the page. */

export type { CardInput } from './calls/tokenise.js';
export { PlaymoneyError } from './calls/error.js';
export { type CardForm, type CardFormOptions, mountCardForm } from './forms/card-form.js';
export type { Failure } from './calls/error.js';
export type { Playmoney } from './globals.js';
export type { CardOptions, PageAmount, Paid } from './payfurl/page-ways.js';
export { type Token, tokenise, type TokeniseOptions, type TokeniseTarget } from './calls/tokenise.js';
export type { Payfurl };

/**
 * The object that the service's script adds to a page, for tests without a script tag. `baseUrl` is the address of the sandbox.
 *
 * @example
 * window.payfurl = createPayfurl({ baseUrl: sandbox.url });
 */
export function createPayfurl({ baseUrl }: { readonly baseUrl?: string } = {}): Payfurl {
  return new Payfurl(baseUrl);
}
