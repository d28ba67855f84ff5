import { currencyExponent, toMajor } from '../../core/money.js';
import type { PaymentLink } from '../../payment-links/record.js';
import { obstacleOf } from '../../payment-links/service.js';
import { testCards } from '../scenario/test-cards.js';
import { escapeHtml, livePage } from './html.js';

/** The page of a payment link, as its payer sees it. */
export function payPage(link: PaymentLink): string {
  const { title, description, image } = link;
  const content = [
    '<main class="narrow">',
    '<section class="panel" id="payment">',
    image === null ? '' : `<img class="picture" src="${escapeHtml(image)}" alt="">`,
    `<h1>${escapeHtml(title)}</h1>`,
    description === null ? '' : `<p class="said">${escapeHtml(description)}</p>`,
    link.amountMinor === null
      ? ''
      : `<p class="amount">${escapeHtml(amountText(link.amountMinor, link.currency))}</p>`,
    paymentPart(link),
    '<p class="soft footnote">A page of a sandbox: no money moves, and no real card belongs here.</p>',
    '</section>',
    RESULT,
    obstacleOf(link) === null ? CARDS : '',
    '</main>',
  ];
  return livePage(title, ['pay.js'], content.filter((part) => part !== '').join('\n'));
}

const RESULT = `<section class="panel" id="result" aria-labelledby="result-title" tabindex="-1" hidden>
<h1 id="result-title" class="good"></h1>
<p id="confirmation" class="said"></p>
<p class="soft">Charge <code id="charge"></code></p>
<p><a id="redirect" rel="noreferrer" hidden></a></p>
</section>`;

const CARDS = `<details class="panel">
<summary>Test cards</summary>
<p class="soft">A click fills the form.</p>
${testCards()}
</details>`;

/** The form, or why there is none. What the script has to know of the link stands with its place. */
function paymentPart(link: PaymentLink): string {
  const obstacle = obstacleOf(link);
  if (obstacle !== null) return `<p role="status">This link cannot be paid. ${escapeHtml(obstacle)}</p>`;
  const { amountMinor, currency, callToAction } = link;
  const asks = amountMinor === null ? ` data-currency="${escapeHtml(currency)}"` : '';
  const label = amountMinor === null ? callToAction : `${callToAction} ${amountText(amountMinor, currency)}`;
  return (
    `<div id="card" data-label="${escapeHtml(label)}" data-done="${callToAction === 'Pay' ? 'Paid' : 'Thank you'}"${asks}></div>\n` +
    '<noscript><p>The form is made by a script: allow scripts of this page.</p></noscript>'
  );
}

/** An amount for people, with all decimals of its currency: AUD 15.50. */
export function amountText(amountMinor: number, currency: string): string {
  const exponent = currencyExponent(currency) ?? 0;
  return `${currency} ${toMajor(amountMinor, exponent).toFixed(exponent)}`;
}
