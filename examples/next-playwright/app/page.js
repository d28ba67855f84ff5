import { connection } from 'next/server';
import { Checkout } from './checkout';

/** `?order=` names the order. In production, the script and the key are those of the service. */
export default async function Page({ searchParams }) {
  await connection(); // The settings are those of this start, not of the build.
  const { order = 'order-1' } = await searchParams;
  const { PLAYMONEY_URL, PLAYMONEY_KEY } = process.env;
  return (
    <Checkout
      order={order}
      script={`${PLAYMONEY_URL}/v4.8.6/js/payfurl.js`}
      publicKey={PLAYMONEY_KEY.replace('sk_', 'pk_')}
    />
  );
}
