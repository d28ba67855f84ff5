import { major } from './arithmetic.js';
import type { Body } from './commands/kind.js';
import { type Ask, PAGE, requireSame } from './same.js';
import type { State, Told } from './state.js';

/** Transfers, payment links and what receivers were told, as answers show them, against the model. */
export async function compareFurther(ask: Ask, state: State): Promise<void> {
  for (const [n, { id, charge, group, reference, minor, total, status }] of state.transfers.entries()) {
    const { body } = await ask({ method: 'GET', path: `/transfer/${id}` });
    const currency = state.charges[charge]?.currency ?? '';
    const shown = ['Status', 'GroupReference', 'Reference', 'Amount', 'TotalAmount', 'ChargeId'];
    requireSame(
      `transfer ${n}`,
      shown.map((name) => body[name]),
      [status, group, reference, major(minor, currency), major(total, currency), state.charges[charge]?.id],
    );
  }
  for (const [n, { id, paid, minor, currency }] of state.links.entries()) {
    const { body } = await ask({ method: 'GET', path: `/payment_link/${id}` });
    const shown = [body['CountPayments'], body['Amount'], body['Currency']];
    requireSame(`payment link ${n}`, shown, [paid, minor === null ? null : major(minor, currency), currency]);
  }
  for (const { id, name, isGone } of state.providers) {
    const { status, body } = await ask({ method: 'GET', path: `/provider/${id}` });
    requireSame(`provider ${id}`, [status, body['Name'] ?? null], isGone ? [404, null] : [200, name]);
  }
  if (state.receivers.length > 0) await compareTold(ask, state);
}

async function compareTold(ask: Ask, state: State): Promise<void> {
  const shown: Body[] = [];
  for (let isMore = true; isMore;) {
    const path = `/_sandbox/webhooks?Limit=${PAGE}&Skip=${shown.length}`;
    const page = (await ask({ method: 'GET', path })).body['Deliveries'] as Body[];
    shown.push(...page);
    isMore = page.length === PAGE;
  }
  const expected = state.told.map(({ type, table, n, url }: Told) => [type, state[table][n]?.id, url]);
  requireSame(
    'What receivers were told',
    shown.map(({ EventType, Ref, Url }) => [EventType, Ref, Url]),
    expected.toReversed(),
  );
}
