import { PlaymoneyError } from './call.js';
import { mountCardForm } from './card-form.js';
import { tokenise } from './tokenise.js';

/** playmoney's own script for pages. */
window.playmoney = { tokenise, mountCardForm, PlaymoneyError };
