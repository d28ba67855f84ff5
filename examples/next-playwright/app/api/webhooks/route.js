import { createHmac, timingSafeEqual } from 'node:crypto';
import { orders } from '../../gateway';

export async function POST(request) {
  const body = Buffer.from(await request.arrayBuffer());
  const signed = createHmac('sha256', process.env.WEBHOOK_SECRET).update(body).digest();
  const given = Buffer.from(request.headers.get('x-payfurl-signature') ?? '', 'base64');
  if (given.length !== signed.length || !timingSafeEqual(given, signed))
    return new Response(null, { status: 401 });
  const { data } = JSON.parse(body);
  orders.get(data.reference)?.events.push(data.status);
  return new Response(null, { status: 204 });
}
