import { byId } from './elements.js';
import type { Playmoney } from './sdk.js';
import { wireTestCards } from './test-cards.js';

/** The checkout page: the script that front ends use, at work. */

const { mountCardForm }: Playmoney = window.playmoney;
const publicKey = byId('public-key', HTMLInputElement);
const provider = byId('provider', HTMLSelectElement);
const result = byId('result', HTMLElement);
const token = byId('token', HTMLElement);
const command = byId('command', HTMLElement);
const copied = byId('copied', HTMLElement);

const form = mountCardForm(byId('card', HTMLElement), {
  submitLabel: 'Make a token',
  // What is chosen when the form is sent counts.
  get publicKey() {
    return publicKey.value.trim();
  },
  get providerId() {
    return provider.value;
  },
  onToken: ({ TokenId }) => {
    token.textContent = TokenId;
    command.textContent = chargeCommand(TokenId);
    copied.textContent = '';
    result.hidden = false;
    // Below the fold nobody would see that something came.
    result.focus();
  },
  onError: () => {
    result.hidden = true;
  },
});

wireTestCards(form.element, form.setCard);

byId('copy', HTMLButtonElement).addEventListener('click', () => {
  navigator.clipboard.writeText(command.textContent).then(
    () => (copied.textContent = 'Copied.'),
    () => (copied.textContent = 'The browser does not let this page copy; select the text.'),
  );
});

/** What a back end sends, as a command to paste into a shell. */
function chargeCommand(tokenId: string): string {
  const secretKey = publicKey.value.trim().replace(/^pk_test_/, 'sk_test_');
  const body = JSON.stringify({ Amount: 15.5, Token: tokenId });
  return [
    `curl -s ${quoted(`${location.origin}/charge/token`)} \\`,
    `  -H ${quoted(`x-secretkey: ${secretKey}`)} -H 'content-type: application/json' \\`,
    `  -d ${quoted(body)}`,
  ].join('\n');
}

/** A text as one word of a shell, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
