import { html } from 'hono/html';

import { formatInstant } from '../../core/time/time.js';
import type { Checkout } from '../../records/checkout.js';
import { formatWithCurrency } from './card-pages.js';
import { answerList, readHost } from './challenge-page.js';
import { type Html, joinHtml, livePage } from './html.js';

/** The page of a wallet, on which a payer approves a check-out. It works after a redirect, in a pop-up and in a frame. */
export function walletPage(found: Checkout): Html {
  const content = [
    html`<main class="narrow">
<section class="panel">
<h1>Approve your payment</h1>
<p>With <code>${found.source.type}</code></p>
<p class="amount">${formatWithCurrency(found.amountMinor, found.currency)}</p>`,
    found.status === 'PENDING' ? decisionPart(found) : null,
    html`<p id="said" role="status"></p>
<p class="soft footnote">This is a sandbox page in place of the wallet’s page. No money moves.</p>
</section>
</main>`,
  ];
  return livePage('Check-out', ['challenge.js'], joinHtml(content));
}

function decisionPart({ expires, redirectUrl }: Checkout): Html {
  const end = formatInstant(expires);
  const host = readHost(redirectUrl);
  const back =
    host === null
      ? 'the page that opened this one receives a message'
      : html`the browser returns to <b>${host}</b>`;
  return html`<div id="answers">
${answerList(ANSWERS)}
<p>To test a payer who never comes back, close this page. The charge then waits until the check-out expires, at
<span class="num">${end.slice(0, 10)} ${end.slice(11, 19)}</span> by the world’s clock.</p>
<p class="soft">After a decision ${back}.</p>
</div>
<noscript><p>The buttons need JavaScript. Allow scripts on this page.</p></noscript>`;
}

const ANSWERS = [
  ['approve', 'Approve', 'The charge goes on.'],
  ['decline', 'Decline', 'The charge fails.'],
] as const;
