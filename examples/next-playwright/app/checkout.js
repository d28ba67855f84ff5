'use client';

import Script from 'next/script';
import { useState } from 'react';

const MESSAGES = {
  paid: 'Thank you, your order is paid.',
  declined: 'Your card was declined.',
  unknown: 'We do not know yet whether you paid. Please try again: you will not pay twice.',
};

/** The script puts its card form into the page, and passes a token for the card to the shop. */
export function Checkout({ order, script, publicKey }) {
  const [message, setMessage] = useState('');

  async function pay(token) {
    const body = JSON.stringify({ token });
    const answer = await fetch(`/api/orders/${order}`, { method: 'POST', body });
    setMessage(MESSAGES[(await answer.json()).status]);
  }

  const showForm = () =>
    window.payfurl
      .init('sandbox', publicKey)
      .addCardLeastCost('payment', 20, 'AUD')
      .onSuccess(({ token }) => pay(token))
      .onFailure((failure) => setMessage(String(failure)));

  return (
    <main>
      <h1>Pay {order}</h1>
      <div id="payment" />
      <p data-testid="message">{message}</p>
      <Script src={script} onReady={showForm} />
    </main>
  );
}
