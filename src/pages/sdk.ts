import { PlaymoneyError } from './calls/error.js';
import { mountCardForm } from './forms/card-form.js';
import { tokenise } from './calls/tokenise.js';

/** playmoney's own script for pages. */
window.playmoney = { tokenise, mountCardForm, PlaymoneyError };
