import { BUILT_IN_PROVIDERS, type BuiltInProvider } from '../../outcomes/built-in.js';
import { MAGIC_CARDS } from '../../outcomes/magic.js';
import { testCards } from '../scenario/test-cards.js';
import { escapeHtml, livePage, pageLinks } from './html.js';

/** The public key that the page begins with: that of the secret key which all examples use. */
const DEFAULT_PUBLIC_KEY = 'pk_test_local';

/** The script for browsers at work: a card form, the published test cards, and the token that comes of them. */
export function checkoutPage(publicKey: string | null): string {
  return livePage(
    'Checkout',
    ['sdk.js', 'checkout.js'],
    `${pageLinks('Checkout')}
<header>
<h1>Checkout</h1>
<p>The page sends the card to the sandbox and gets a single-use token; a back end charges the token with its secret key.
No money moves, and no real card belongs here.</p>
</header>
<main class="columns">
<div>
<section class="panel" aria-labelledby="card-title">
<h2 id="card-title">Card</h2>
<div class="setting">
<label for="public-key">Public key</label>
<input id="public-key" value="${escapeHtml(publicKey ?? DEFAULT_PUBLIC_KEY)}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="public-key-hint">
<p id="public-key-hint" class="soft">pk_test_X makes tokens in the world of sk_test_X.</p>
</div>
<div class="setting">
<label for="provider">Provider</label>
<select id="provider">
${BUILT_IN_PROVIDERS.map(providerOption).join('\n')}
</select>
</div>
<div id="card"></div>
<noscript><p>The form is made by a script: allow scripts of this page.</p></noscript>
</section>
<section class="panel" id="result" aria-labelledby="result-title" tabindex="-1" hidden>
<h2 id="result-title" class="good">Token made</h2>
<p><code id="token"></code></p>
<p>It works once, for 15 minutes of the world’s time unless the server was told otherwise. A back end charges it so:</p>
<pre id="command"></pre>
<button type="button" id="copy" class="plain">Copy</button> <span id="copied" class="soft" role="status"></span>
</section>
</div>
<section class="panel" aria-labelledby="cards-title">
<h2 id="cards-title">Test cards</h2>
<p class="soft">${MAGIC_CARDS.length} published numbers; a click fills the form. What is declined on charge still becomes a token.</p>
${testCards()}
</section>
</main>`,
  );
}

function providerOption({ providerId, name, behaviour }: BuiltInProvider): string {
  return `<option value="${providerId}">${escapeHtml(`${name}: ${behaviour}`)}</option>`;
}
