import { describe, expect, test } from 'vitest';

import type { TimelineItem } from '../../../src/pages/dashboard/state/wire.js';
import { pickColumns } from '../../../src/pages/dashboard/text/waterfall-columns.js';
import {
  type WaterfallTable,
  buildWaterfall,
  placeRows,
  type RowDraft,
} from '../../../src/pages/dashboard/text/waterfall.js';
import { storing, textIn } from '../../support/stored.js';
import { setup } from '../../webhooks/support.js';
import { hotel, lookAt } from './look.js';

/** A row in short: its marks by column; a line that goes on is –, and one that is due is -. */
const drawn = ({ rows }: WaterfallTable): string[] =>
  rows.map(({ method, text, cells }) => {
    const line = cells.map(({ marks, waits }) => {
      const shown = marks.map((mark) => `${mark.tone} ${mark.text}`).join('+');
      return `${shown}${waits === null ? '' : waits === 'since' ? '–' : '-'}`;
    });
    return `${`${method} ${text}`.trim()}: ${line.join(' | ')}`;
  });

describe('the waterfall', () => {
  test('has a column for each instant, and a row for each call, webhook and the charge.', async () => {
    const { api, id } = await hotel();
    const fall = buildWaterfall(await lookAt(api, id));
    expect(fall.columns.map(({ place, label, gap }) => `${place} ${label} ${gap}`)).toEqual([
      'past 11:31:00 first',
      'past 11:31:05 + 5 s',
      'past 11:34:00 + 2 min 55 s',
      'now 11:34:05 + 5 s',
      'later 11:36:05 + 2 min',
      'later 8 Jan 11:31 + 6 d 23 h',
    ]);
    expect(drawn(fall)).toEqual([
      'POST /charge/customer: good 201 |  |  |  |  | ',
      'webhook to /hooks/pay: bad 503– | bad 503– | – | - | due try 3 of 10 | ',
      'POST capture, /charge/{id}:  |  | bad 400 |  |  | ',
      'The charge: info authorised– | – | – | - | - | due expires',
    ]);
  });

  test('says of a check-out that it expires.', async () => {
    const { api } = setup();
    const begun = await api.post('/charge/checkout', {
      ...storing({ Amount: 20, Currency: 'AUD', CheckoutType: 'PAYPAL' }),
      PaymentInformation: undefined,
      RedirectUrl: 'http://127.0.0.1:9999/back',
    });
    const fall = buildWaterfall(await lookAt(api, textIn(begun, 'ChargeId')));
    expect(drawn(fall).at(-1)).toMatch(/due expires$/);
  });

  test('tells a mistake, a decline and a lost answer apart.', async () => {
    const { api } = setup();
    const id = textIn(await api.charge(storing({ Amount: 20, Capture: false })), 'ChargeId');
    await api.post(`/charge/${id}`, { Amount: 500 });
    await api.advance('1m');
    await api.post(`/charge/${id}`, { Amount: 5 }, { 'x-sandbox-outcome': 'unable_to_capture' });
    await api.advance('1m');
    await api
      .post(`/charge/${id}`, { Amount: 5 }, { 'x-sandbox-fault': 'empty; phase=after' })
      .catch(() => null);
    expect(drawn(buildWaterfall(await lookAt(api, id)))).toEqual([
      'POST /charge/card: good 201 |  | ',
      'POST capture, /charge/{id}: warn 400 |  | ',
      'POST capture, /charge/{id}:  | bad 400 | ',
      'POST capture, /charge/{id}:  |  | lost no answer',
      'The charge: info authorised– | – | info captured',
    ]);
  });

  test('leaves out what is between the first instant and the last ones, until all is asked for.', async () => {
    const { api } = setup();
    const id = textIn(await api.charge(storing({ Amount: 100 })), 'ChargeId');
    for (let n = 0; n < 12; n++) {
      await api.advance('1h');
      await api.del(`/refund/${id}?Amount=1`);
    }
    const look = await lookAt(api, id);
    const fall = buildWaterfall(look);
    expect(fall.columns.map(({ label }) => label.slice(0, 2)).join(' ')).toBe('00 08 09 10 11 12');
    expect(fall.folded).toBe(7);
    expect(fall.rows).toHaveLength(7);
    const whole = buildWaterfall(look, true);
    expect([whole.columns.length, whole.folded, whole.rows.length]).toEqual([13, 0, 14]);
  });

  test('leaves out attempts of webhooks before the second charge of an order, and never the call of a webhook', () => {
    const shown = pickColumns([0, 31, 36, 336, 2136, 9336, 23_736, 90_000], [0, 31], 50_000);
    expect(shown).toEqual([0, 31, 336, 2136, 9336, 23_736, 90_000]);
    const item = (At: string) => ({ At, Text: 'POST /charge/card: 201', What: 'call' }) as TimelineItem;
    const mark = { tone: 'good', text: '201', took: '', title: '' } as const;
    const hours = Array.from({ length: 9 }, (_, n) => `2026-01-01T0${n}:00:00.000Z`);
    const row = (key: string, kind: RowDraft['kind'], instants: readonly string[]): RowDraft => ({
      key,
      kind,
      method: '',
      text: '',
      pick: null,
      items: instants.map((At) => [item(At), mark] as const),
    });
    const calls = hours
      .slice(0, 8)
      .flatMap((At) => [row(`call ${At}`, 'call', [At]), row(`to ${At}`, 'webhook', [])]);
    const late = row('late', 'webhook', [hours[8] ?? '']);
    const drafts = [...calls.slice(0, 3), late, ...calls.slice(4)];
    const { rows } = placeRows(drafts, Date.parse(hours[8] ?? ''), false);
    expect(rows[rows.findIndex(({ key }) => key === 'late') - 1]?.key).toBe(`call ${hours[1] ?? ''}`);
  });
});
