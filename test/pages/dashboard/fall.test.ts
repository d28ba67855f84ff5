import { describe, expect, test } from 'vitest';

import { type WaterfallTable, buildWaterfall } from '../../../src/pages/dashboard/text/waterfall.js';
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
});
