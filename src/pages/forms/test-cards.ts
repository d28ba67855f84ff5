import type { CardInput } from '../calls/tokenise.js';

export function wireTestCards(form: HTMLFormElement, setCard: (card: CardInput) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-card]')) {
    button.addEventListener('click', () => {
      const { card = '', expiry = '', ccv = '' } = button.dataset;
      setCard({ cardNumber: card, expiryDate: expiry, ccv });
      form.querySelector('button')?.focus();
    });
  }
}
