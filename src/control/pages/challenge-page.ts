import { html } from 'hono/html';

import type { Charge } from '../../records/charge.js';
import { type Authentication, CHALLENGE_TTL } from '../../records/authentication.js';
import { formatInstant } from '../../core/time/time.js';
import { formatWithCurrency } from './card-pages.js';
import { type Html, joinHtml, livePage } from './html.js';

/** The challenge page that the payer sees, in a frame of the shop's page or after a redirect. Its script returns the payer to the shop. */
export function challengePage(found: Authentication, charge: Charge | undefined): Html {
  const { masked, status } = found;
  const amount = charge && formatWithCurrency(charge.amountMinor, charge.currency);
  const content = [
    html`<main class="narrow">
<section class="panel" id="challenge">
<h1>Confirm your payment</h1>
<p>Card <code>${masked}</code></p>`,
    amount === undefined ? null : html`<p class="amount">${amount}</p>`,
    status === 'CHALLENGED' ? answersPart(found) : null,
    html`<p id="said" role="status"></p>
<p class="soft footnote">This is a sandbox page in place of your bank’s page. No money moves.</p>
</section>
</main>`,
  ];
  return livePage('3-D Secure', ['challenge.js'], joinHtml(content));
}

/** The buttons of the payer, such as Approve, each with its result. */
function answersPart({ dateChallenged, dateAdded, notificationUrl }: Authentication): Html {
  const end = formatInstant((dateChallenged ?? dateAdded) + CHALLENGE_TTL);
  const host = readHost(notificationUrl);
  const back =
    host === null
      ? 'The shop set no notificationURL, so the result is posted to the page that embeds this frame.'
      : html`Then the browser returns to <b>${host}</b>.`;
  return html`<div id="answers">
${answerList(ANSWERS)}
<p class="soft">It times out at <span class="num">${end.slice(0, 10)} ${end.slice(11, 19)}</span> by the world’s clock. ${back}</p>
</div>
<noscript><p>The buttons need JavaScript. Allow scripts on this page.</p></noscript>`;
}

/** The answers of a payer, with what each yields. */
const ANSWERS = [
  ['approve', 'Approve', 'The authentication passes, and the charge goes on.'],
  ['fail', 'Fail', 'The authentication fails, and the charge is declined.'],
  ['abandon', 'Close without answering', 'As if the payer closed the page: the charge is declined.'],
] as const;

type PayerAnswer = readonly [answer: string, name: string, text: string];

/** A button for each answer of a payer. */
export function answerList(answers: readonly PayerAnswer[]): Html {
  return html`<dl class="answers">
${joinHtml(answers.map(answerPart))}
</dl>`;
}

function answerPart([answer, name, text]: PayerAnswer, n: number): Html {
  const main = n === 0 ? html` class="main"` : null;
  return html`<dt><button type="button"${main} data-answer="${answer}">${name}</button></dt><dd data-of="${name}">${text}</dd>`;
}

export function readHost(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : null;
}
