import { html } from 'hono/html';

import { currencyExponent, toMajor } from '../../core/money.js';
import { BUILT_IN_PROVIDERS, type BuiltInProvider } from '../../outcomes/built-in.js';
import { MAGIC_CARDS, type MagicCard } from '../../outcomes/magic.js';
import type { PaymentLink } from '../../records/payment-link.js';
import { whyUnpayable } from '../../resources/payment-links/service.js';
import { type Html, joinHtml, livePage, pageLinks } from './html.js';

/** The pages with a card form: the checkout, and the page of a payment link. */

/** An expiry date in the future, whatever the world's clock shows. */
const EXPIRY = '12/99';

/** The test cards as buttons that fill the form. */
function testCards(): Html {
  return html`<ul class="cards">
${joinHtml(MAGIC_CARDS.map(cardItem))}
</ul>`;
}

function cardItem({ number, scheme, effect }: MagicCard): Html {
  const ccv = scheme === 'Amex' ? '1234' : '123';
  const label = html`<span class="number">${number}</span> <span class="soft">${scheme}</span><br>${effect}`;
  return html`<li><button type="button" data-card="${number}" data-expiry="${EXPIRY}" data-ccv="${ccv}">${label}</button></li>`;
}

/** The public key that the page starts with. It belongs to the secret key of all examples. */
const DEFAULT_PUBLIC_KEY = 'pk_test_local';

const HASHED_KEY_HINT = 'GET /_sandbox/world, called with the secret key, returns it as PublicKey.';
const TWIN_KEY_HINT = 'pk_test_X creates tokens in the world of sk_test_X.';

/** A demo of sdk.js: a card form, the test cards, and the token that the form creates. `isHashed`: no secret key follows from a public one. */
export function checkoutPage(publicKey: string | null, isHashed: boolean): Html {
  return livePage(
    'Checkout',
    ['sdk.js', 'checkout.js'],
    html`${pageLinks('Checkout')}
<header>
<h1>Checkout</h1>
<p>This page sends the card to the sandbox and receives a single-use token. A back end charges the token with its secret key.
No money moves. Do not enter a real card.</p>
</header>
<main class="columns">
<div>
<section class="panel" aria-labelledby="card-title">
<h2 id="card-title">Card</h2>
<div class="setting">
<label for="public-key">Public key</label>
<input id="public-key" value="${publicKey ?? DEFAULT_PUBLIC_KEY}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="public-key-hint"${isHashed ? ' data-hashed' : ''}>
<p id="public-key-hint" class="soft">${isHashed ? HASHED_KEY_HINT : TWIN_KEY_HINT}</p>
</div>
<div class="setting">
<label for="provider">Provider</label>
<select id="provider">
${joinHtml(BUILT_IN_PROVIDERS.map(providerOption))}
</select>
</div>
<div id="card"></div>
<noscript><p>The form needs JavaScript. Allow scripts on this page.</p></noscript>
</section>
<section class="panel" id="result" aria-labelledby="result-title" tabindex="-1" hidden>
<h2 id="result-title" class="good">Token created</h2>
<p><code id="token"></code></p>
<p>It can be used once, by default within 15 minutes of the world’s time. A back end charges it with this call:</p>
<pre id="command"></pre>
<button type="button" id="copy" class="plain">Copy</button> <span id="copied" class="soft" role="status"></span>
</section>
</div>
<section class="panel" aria-labelledby="cards-title">
<h2 id="cards-title">Test cards</h2>
<p class="soft">Select one of ${MAGIC_CARDS.length} cards to fill the form. Cards that are declined on charge still give a token.</p>
${testCards()}
</section>
</main>`,
  );
}

function providerOption({ providerId, name, behaviour }: BuiltInProvider): Html {
  return html`<option value="${providerId}">${name}: ${behaviour}</option>`;
}

/** The page of a payment link, as its payer sees it. */
export function payPage(link: PaymentLink): Html {
  const { title, description, image } = link;
  const content = [
    html`<main class="narrow">
<section class="panel" id="payment">`,
    image === null ? null : html`<img class="picture" src="${image}" alt="">`,
    html`<h1>${title}</h1>`,
    description === null ? null : html`<p class="said">${description}</p>`,
    link.amountMinor === null
      ? null
      : html`<p class="amount">${formatWithCurrency(link.amountMinor, link.currency)}</p>`,
    paymentPart(link),
    html`<p class="soft footnote">This is a sandbox. No money moves. Do not enter a real card.</p>
</section>`,
    RESULT_PANEL,
    whyUnpayable(link) === null ? CARDS_PANEL : null,
    html`</main>`,
  ];
  return livePage(title, ['pay.js'], joinHtml(content));
}

const RESULT_PANEL = html`<section class="panel" id="result" aria-labelledby="result-title" tabindex="-1" hidden>
<h1 id="result-title" class="good"></h1>
<p id="confirmation" class="said"></p>
<p class="soft">Charge <code id="charge"></code></p>
<p><a id="redirect" rel="noreferrer" hidden></a></p>
</section>`;

const CARDS_PANEL = html`<details class="panel">
<summary>Test cards</summary>
<p class="soft">Select a card to fill the form.</p>
${testCards()}
</details>`;

/** The form, or why there is none. Attributes pass the data of the link to the script. */
function paymentPart(link: PaymentLink): Html {
  const obstacle = whyUnpayable(link);
  if (obstacle !== null) return html`<p role="status">This link cannot be paid. ${obstacle}</p>`;
  const { amountMinor, currency, callToAction } = link;
  const asks = amountMinor === null ? html` data-currency="${currency}"` : null;
  const label =
    amountMinor === null ? callToAction : `${callToAction} ${formatWithCurrency(amountMinor, currency)}`;
  return html`<div id="card" data-label="${label}" data-done="${callToAction === 'Pay' ? 'Paid' : 'Thank you'}"${asks}></div>
<noscript><p>The form needs JavaScript. Allow scripts on this page.</p></noscript>`;
}

/** An amount for people, with all decimals of its currency: AUD 15.50. */
export function formatWithCurrency(amountMinor: number, currency: string): string {
  const exponent = currencyExponent(currency) ?? 0;
  return `${currency} ${toMajor(amountMinor, exponent).toFixed(exponent)}`;
}
