import type { Charge } from '../../records/charge.js';
import type { Authentication } from '../../records/authentication.js';
import { amountText } from './card-pages.js';
import { escapeHtml, livePage } from './html.js';

/** The challenge page that the payer sees, in a frame of the shop's page or after a redirect. Its script returns the payer to the shop. */
export function challengePage({ masked, status }: Authentication, charge: Charge | undefined): string {
  const amount = charge && amountText(charge.amountMinor, charge.currency);
  const content = [
    '<main class="narrow">',
    '<section class="panel" id="challenge">',
    '<h1>Confirm your payment</h1>',
    `<p>Card <code>${escapeHtml(masked)}</code></p>`,
    amount === undefined ? '' : `<p class="amount">${escapeHtml(amount)}</p>`,
    status === 'CHALLENGED' ? BUTTONS : '',
    '<p id="said" role="status"></p>',
    '<p class="soft footnote">This is a sandbox page in place of your bank’s page. No money moves.</p>',
    '</section>',
    '</main>',
  ];
  return livePage('3-D Secure', ['challenge.js'], content.filter((part) => part !== '').join('\n'));
}

const BUTTONS = `<p id="answers" class="answers">
<button type="button" class="main" data-answer="approve">Approve</button>
<button type="button" data-answer="fail">Fail</button>
<button type="button" data-answer="abandon">Leave</button>
</p>
<noscript><p>The buttons need JavaScript. Allow scripts on this page.</p></noscript>`;
