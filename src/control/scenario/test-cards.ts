import { MAGIC_CARDS, type MagicCard } from '../../outcomes/magic.js';
import { escapeHtml } from '../pages/html.js';

/** An expiry date that is in the future wherever the world's clock stands. */
const EXPIRY = '12/99';

/** The published test cards as buttons; a script of the page writes one into its form. */
export function testCards(): string {
  return `<ul class="cards">\n${MAGIC_CARDS.map(cardItem).join('\n')}\n</ul>`;
}

function cardItem({ number, scheme, effect }: MagicCard): string {
  const ccv = scheme === 'Amex' ? '1234' : '123';
  return (
    `<li><button type="button" data-card="${number}" data-expiry="${EXPIRY}" data-ccv="${ccv}">` +
    `<span class="number">${number}</span> <span class="soft">${escapeHtml(scheme)}</span><br>${escapeHtml(effect)}</button></li>`
  );
}
