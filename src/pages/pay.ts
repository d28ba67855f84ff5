import { fetchJson } from './calls/call.js';
import { toPaymentInformation } from './calls/tokenise.js';
import { amountMistake } from './forms/card-rules.js';
import { byId } from './forms/elements.js';
import { CARD_ROWS, readCardInput, type FieldRow } from './forms/fields.js';
import { placeForm } from './forms/form.js';
import { wireTestCards } from './forms/test-cards.js';

/** The script of a payment link's page: a form that pays, then a confirmation. */

const place = document.getElementById('card');

// A link that cannot be paid has no form.
if (place !== null) {
  const { label = '', currency } = place.dataset;
  const form = placeForm(place, {
    submitLabel: label,
    rows: currency === undefined ? CARD_ROWS : [amountRow(currency), ...CARD_ROWS],
    async send(fields) {
      const amount = currency === undefined ? {} : { Amount: fields.readTyped('amount') };
      const sent = { ...amount, PaymentInformation: toPaymentInformation(readCardInput(fields)) };
      const paid = await fetchJson(location.pathname, {}, sent);
      showPaid(place.dataset['done'] ?? '', paid);
    },
  });
  wireTestCards(form.element, (card) => form.write({ ...card }));
}

function amountRow(currency: string): FieldRow {
  return {
    name: 'amount',
    path: 'Amount',
    label: 'Amount',
    hint: currency,
    attributes: { inputmode: 'decimal', autocomplete: 'off', maxlength: '20', required: '' },
    findMistake: amountMistake,
  };
}

function showPaid(title: string, paid: Readonly<Record<string, unknown>>): void {
  const { ChargeId, ConfirmationMessage, RedirectUrl, Currency, Amount } = paid;
  byId('result-title', HTMLElement).textContent = title;
  byId('confirmation', HTMLElement).textContent =
    typeof ConfirmationMessage === 'string' ? ConfirmationMessage : `${String(Currency)} ${String(Amount)}`;
  byId('charge', HTMLElement).textContent = String(ChargeId);
  if (typeof RedirectUrl === 'string') showRedirect(RedirectUrl);
  byId('payment', HTMLElement).remove();
  document.querySelector('details')?.remove();
  const result = byId('result', HTMLElement);
  result.hidden = false;
  result.focus();
}

/** Links to the shop. The page does not redirect, so that a test can read the confirmation first. */
function showRedirect(address: string): void {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const link = byId('redirect', HTMLAnchorElement);
  link.href = url.href;
  link.textContent = `Continue to ${url.host}`;
  link.hidden = false;
}
