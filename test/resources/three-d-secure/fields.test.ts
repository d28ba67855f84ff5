import { expect, test } from 'vitest';

import { STEADY } from '../../support/bodies.js';
import { good, warningOf } from '../../support/sandbox.js';
import { words } from '../../support/tables.js';
import { CHALLENGE, setup, tokenOf } from './support.js';

/** The fields that a public client script sends and reads. */
const PREAUTH = words`
  acsStartProtocolVersion acsEndProtocolVersion dsStartProtocolVersion dsEndProtocolVersion threeDSRequestorTransID
  threeDSServerTransID threeDSAuthURL threeDSMethodURL threeDSMonitorURL threeDSMethodAvailable threeDsServerCallbackUrl
`;
const AUTH = words`
  acsURL acsTransID acsChallengeMandated authenticationType authenticationValue eci dsTransID messageVersion transStatus
  transStatusReason
`;
const POSTAUTH = words`transStatus eci authenticationValue challengeCancel interactionCounter`;

test('The calls of a page take and answer the fields that the client script sends and reads.', async () => {
  const { shop, page } = setup();
  const token = await tokenOf(shop, CHALLENGE);
  const preauth = { AcctNumber: CHALLENGE, Ds: 'VISA', ProviderId: STEADY, CardProviderId: STEADY };
  const begun = await good(page.post('/3ds/preauth', preauth));
  const { threeDSServerTransID } = begun.body;
  const browser = {
    threeDSServerTransID,
    notificationURL: 'https://shop.example/3ds',
    browserUserAgent: 'Mozilla/5.0',
    browserScreenWidth: 1280,
    browserJavaEnabled: false,
    purchaseAmount: '2000',
    purchaseCurrency: '036',
    threeDSCompInd: 'Y',
    ccv: '123',
  };
  const result = { authenticationValue: 'a', threeDsVersion: '2.2.0', dsTransID: 'd', eci: '05', xid: 'x' };
  const answers = [
    [begun, PREAUTH],
    [await good(page.post(`/3ds/preauth/token/${token}`, { ProviderId: STEADY })), PREAUTH],
    [await good(page.post('/3ds/auth', browser)), AUTH],
    [await good(page.post(`/3ds/auth/token/${token}`, { ...browser, threeDSServerTransID: null })), AUTH],
    [await good(page.post('/3ds/postauth', { threeDSServerTransID, ...result })), POSTAUTH],
  ] as const;
  for (const [answer, fields] of answers) {
    expect(Object.keys(answer.body).toSorted()).toEqual(fields.toSorted());
    expect([answer.status, warningOf(answer)]).toEqual([200, null]);
  }
});
