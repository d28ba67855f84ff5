import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { buttonOf as button, chargeOf as charge, clientOf, lookAt, stage, takePicture } from './support.js';

describe.skipIf(CHROMIUM === undefined)('new worlds in the dashboard', () => {
  const here = stage('--clock', 'manual');

  test('a state that is dropped opens beside the world that is shown, and a damaged file opens nothing', async () => {
    const api = clientOf(here, 'sk_test_shown');
    await api.charge(charge('order-1'));
    const state = await api.read('/_sandbox/state');
    const { page } = await lookAt(here, 'sk_test_shown', '#/snapshots');
    const drop = (text: string) =>
      page.evaluate((content) => {
        const data = new DataTransfer();
        data.items.add(new File([content], 'shop.json', { type: 'application/json' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
      }, text);
    await drop('{"Format": "playmoney-state", ');
    await page.getByText('shop.json is damaged: it is not valid JSON.').waitFor();
    await drop(JSON.stringify({ ...state, Version: 99 }));
    await page.getByText('99, from a newer version of this program').waitFor();
    await drop(JSON.stringify(state));
    await page.getByText('shop.json is open in the new world sk_test_shown-1').waitFor();
    await button(page, /sk_test_shown-1/).waitFor();
    await takePicture(page, 'opened-file');
    expect((await clientOf(here, 'sk_test_shown-1').read('/charge'))['Count']).toBe(1);
    expect((await api.read('/charge'))['Count']).toBe(1);
  });

  test('Branch here shows a call in the world before it, where it can be sent again', async () => {
    const api = clientOf(here, 'sk_test_past');
    await api.charge(charge('order-1'));
    await api.charge(charge('order-2'));
    const { page } = await lookAt(here, 'sk_test_past', '#/calls?open=2');
    await button(page, 'Branch here').click();
    await page.getByText('in the new world sk_test_past-1, with 1 call.').waitFor();
    await takePicture(page, 'branched');
    await page.getByText('No branch: The world has gone back').waitFor();
    await button(page, 'Send again').click();
    await page.getByText('Sent POST /charge/card: 201.').waitFor();
    const past = clientOf(here, 'sk_test_past-1');
    const { Charges } = await past.read('/charge');
    expect((Charges as { Reference: string }[]).map(({ Reference }) => Reference)).toEqual([
      'order-2',
      'order-1',
    ]);
  });
});
