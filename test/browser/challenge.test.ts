import { describe, expect, test } from 'vitest';

import { cardOf, STEADY } from '../support/bodies.js';
import { CHROMIUM } from './chromium.js';
import { backEnd, serverBeside, stage, takePicture } from './support.js';

describe.skipIf(CHROMIUM === undefined)('the page of a challenge', () => {
  const { url, visit } = stage('--clock', 'manual');
  /** What the shop was posted. */
  const posted: string[] = [];

  const shop = serverBeside((request, response) => {
    response.setHeader('content-type', 'text/html');
    const frame = new URL(request.url ?? '/', 'http://shop').searchParams.get('frame');
    if (frame !== null)
      return void response.end(
        `<script>addEventListener('message', ({ data }) => (document.title = data.threeDSServerTransID))</script>
           <iframe src="${frame}" width="500" height="400"></iframe>`,
      );
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (request.method === 'POST') posted.push(body);
      response.end('<h1>Thank you</h1>');
    });
  });

  const shopUrl = () => `http://127.0.0.1:${shop()}/3ds`;

  async function waiting() {
    const { body } = await backEnd(url(), '/charge/card', {
      Amount: '15.50',
      ProviderId: STEADY,
      PaymentInformation: cardOf('4000000000001133'),
      ThreeDSNotificationUrl: shopUrl(),
    });
    const read = async () => (await backEnd(url(), `/charge/${String(body['ChargeId'])}`)).body['Status'];
    return { page: String(body['ThreeDsRedirectUrl']), id: String(body['ThreeDSServerTransID']), read };
  }

  test('sends the payer back to the shop, who was redirected to it', async () => {
    const { page: address, id, read } = await waiting();
    const { page } = await visit(address);
    await takePicture(page, 'challenge');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(page.url()).toBe(shopUrl());
    expect(new URLSearchParams(posted.at(-1)).get('threeDSServerTransID')).toBe(id);
    expect(await read()).toBe('SUCCESS');
  });

  test('works in a frame of the shop', async () => {
    const { page: address, read } = await waiting();
    const { page } = await visit(`${shopUrl()}?frame=${encodeURIComponent(address)}`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Fail' }).click();
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await read()).toBe('FAILED');
  });

  test('sends its result to the page around the frame, where the shop gave no address', async () => {
    const ask = async (step: string, sent: object) =>
      (await backEnd(url(), `/3ds/${step}`, sent)).body as Record<string, string>;
    const { threeDSServerTransID = '' } = await ask('preauth', { AcctNumber: '4000000000001133' });
    const { acsURL = '' } = await ask('auth', { threeDSServerTransID });
    const { page } = await visit(`${shopUrl()}?frame=${encodeURIComponent(acsURL)}`);
    await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).click();
    await page.waitForFunction((id) => document.title === id, threeDSServerTransID);
    expect(await ask('postauth', { threeDSServerTransID })).toMatchObject({ transStatus: 'Y' });
  });

  test('leaves when time ends the challenge', async () => {
    const { page: address, read } = await waiting();
    const { page } = await visit(address);
    await page.getByRole('button', { name: 'Close without answering' }).waitFor();
    await backEnd(url(), '/_sandbox/clock/advance', { By: '10m' });
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await read()).toBe('FAILED');
  });
});
