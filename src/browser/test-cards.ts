import type { CardForm } from './card-form.js';

/** Lets the buttons of the published test cards write theirs into a form. */
export function wireTestCards(form: CardForm): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-card]')) {
    button.addEventListener('click', () => {
      const { card = '', expiry = '', ccv = '' } = button.dataset;
      form.setCard({ cardNumber: card, expiryDate: expiry, ccv });
      form.element.querySelector('button')?.focus();
    });
  }
}
