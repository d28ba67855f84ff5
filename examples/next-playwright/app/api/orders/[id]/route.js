import { orders, pay, refund } from '../../../gateway';

export async function GET(_, { params }) {
  return Response.json(orders.get((await params).id) ?? null);
}

export async function POST(request, { params }) {
  const { id } = await params;
  const { token } = await request.json();
  const order = orders.get(id) ?? { events: [] };
  orders.set(id, order);
  const Webhook = { Url: `http://${request.headers.get('host')}/api/webhooks` };
  Object.assign(order, await pay({ Amount: 20, Token: token, Reference: id, Webhook }));
  return Response.json({ status: order.status });
}

/** Gives the money back. A real shop lets only its staff do this. */
export async function DELETE(_, { params }) {
  const isRefunded = await refund(orders.get((await params).id).chargeId);
  return Response.json({ isRefunded });
}
