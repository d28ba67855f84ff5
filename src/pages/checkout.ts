import { byId } from './forms/elements.js';
import type { Playmoney } from './globals.js';
import { sandboxHome } from './home.js';
import { wireTestCards } from './forms/test-cards.js';
import { quoteShellWord } from './shell-quote.js';

/** The script of the checkout page. It uses sdk.js as a front end does. */

const { mountCardForm }: Playmoney = window.playmoney;
const publicKey = byId('public-key', HTMLInputElement);
const provider = byId('provider', HTMLSelectElement);
const result = byId('result', HTMLElement);
const token = byId('token', HTMLElement);
const command = byId('command', HTMLElement);
const copied = byId('copied', HTMLElement);

const form = mountCardForm(byId('card', HTMLElement), {
  submitLabel: 'Create token',
  // Getters, because the options are read when the form is sent.
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
    // The result may be out of sight.
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
    () => (copied.textContent = 'The browser does not allow copying. Select the text and copy it.'),
  );
});

function chargeCommand(tokenId: string): string {
  const twin = publicKey.value.trim().replace(/^pk_test_/, 'sk_test_');
  const secretKey = 'hashed' in publicKey.dataset ? 'YOUR_SECRET_KEY' : twin;
  const body = JSON.stringify({ Amount: 15.5, Token: tokenId });
  return [
    `curl -s ${quoteShellWord(`${sandboxHome()}/charge/token`)} \\`,
    `  -H ${quoteShellWord(`x-secretkey: ${secretKey}`)} -H 'content-type: application/json' \\`,
    `  -d ${quoteShellWord(body)}`,
  ].join('\n');
}
