import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { optionalCcv, requiredPan } from '../../http/fields/card-fields.js';
import { optionalField, requestSchema, cappedText } from '../../http/fields/field.js';
import * as fields from '../../http/fields/fields.js';
import * as lists from '../../http/fields/list-fields.js';
import { optionalWebAddress } from '../../http/fields/fields.js';
import { AUTHENTICATION_STATUSES, CHALLENGE_ENDINGS } from '../../records/authentication.js';
import type { AuthenticateCommand } from './service.js';

/** The calls of a payer's browser. The field names are the same in both dialects. */

/** The maximum length of a browser field, such as the user agent: our own limit. */
const BROWSER_TEXT_MAX = 4096;

const ignoredProvider = () => fields.optionalText().describe(fields.NO_EFFECT);

export const PreauthCard = requestSchema(
  () => ({
    AcctNumber: requiredPan(),
    Ds: fields
      .optionalText()
      .describe('The directory server. It has no effect here: the scheme follows from the card number.'),
    ProviderId: ignoredProvider(),
    CardProviderId: ignoredProvider(),
  }),
  (body) => ({ pan: body.AcctNumber }),
);

export const PreauthToken = requestSchema(
  () => ({ ProviderId: ignoredProvider() }),
  () => null,
);

/** Data of the browser and the purchase. */
const IGNORED = [
  'browserAcceptHeader browserColorDepth browserIP browserJavaEnabled browserJavascriptEnabled browserLanguage',
  'browserScreenHeight browserScreenWidth browserTZ browserUserAgent',
  'purchaseAmount purchaseCurrency purchaseDate purchaseExponent purchaseInstalData',
  'threeDSCompInd threeDSRequestorTransID messageVersion cardExpiryDate cardholderName email',
];

const browserFields = () => {
  const ignored = optionalField(z.union([cappedText(BROWSER_TEXT_MAX), z.number(), z.boolean()])).describe(
    fields.NO_EFFECT,
  );
  return Object.fromEntries(IGNORED.flatMap((names) => names.split(' ')).map((name) => [name, ignored]));
};

const transactionField = () =>
  fields
    .requiredText('the threeDSServerTransID of a preauthentication')
    .describe('The threeDSServerTransID from the preauthentication.');

const authenticateFields = () => ({
  notificationURL: optionalWebAddress().describe(
    'Where the challenge page sends the payer’s browser afterwards.',
  ),
  ccv: optionalCcv(),
  ...browserFields(),
});

export const Authenticate = requestSchema(
  () => ({ threeDSServerTransID: transactionField(), ...authenticateFields() }),
  (body): AuthenticateCommand => ({ id: body.threeDSServerTransID, notificationUrl: body.notificationURL }),
);

export const AuthenticateToken = requestSchema(
  () => ({
    threeDSServerTransID: fields
      .optionalText()
      .describe('The threeDSServerTransID. Default: that of the token’s newest transaction.'),
    ...authenticateFields(),
  }),
  (body) => ({ id: body.threeDSServerTransID, notificationUrl: body.notificationURL }),
);

export const Postauth = requestSchema(
  () => ({
    threeDSServerTransID: transactionField(),
    authenticationValue: fields.optionalText().describe(fields.NO_EFFECT),
    threeDsVersion: fields.optionalText().describe(fields.NO_EFFECT),
    dsTransID: fields.optionalText().describe(fields.NO_EFFECT),
    eci: fields.optionalText().describe(fields.NO_EFFECT),
    xid: fields.optionalText().describe(fields.NO_EFFECT),
  }),
  (body) => body.threeDSServerTransID,
);

export const SearchTransactions = requestSchema(
  () => ({
    Status: lists.optionalQueryWord(AUTHENTICATION_STATUSES).describe('Only records with this status.'),
    TokenId: fields.optionalText().describe('Only records of this token.'),
    ChargeId: fields.optionalText().describe('Only records of this charge.'),
    ...lists.dateFields(),
    ...lists.pageFields(),
  }),
  lists.toListing,
);

const transStatusAnswer = () =>
  z.enum(['Y', 'N', 'U', 'C']).describe('Y: passed, N: failed, U: unavailable, C: challenge.');

export const PreauthResponse = answers.component('Preauthentication', () => ({
  acsStartProtocolVersion: z.string(),
  acsEndProtocolVersion: z.string(),
  dsStartProtocolVersion: z.string(),
  dsEndProtocolVersion: z.string(),
  threeDSRequestorTransID: answers.id(),
  threeDSServerTransID: answers.id('The transaction: 32 hexadecimal digits.'),
  threeDSAuthURL: z.string().describe('Where the browser continues.'),
  threeDSMethodURL: answers.never(),
  threeDSMonitorURL: answers.never(),
  threeDSMethodAvailable: z.literal(false).describe('Always false: the sandbox has no 3DS method.'),
  threeDsServerCallbackUrl: z.string().describe('The challenge page, if there will be a challenge.'),
}));
export type PreauthResponse = z.output<typeof PreauthResponse>;

export const AuthResponse = answers.component('Authentication', () => ({
  acsURL: answers.text().describe('The challenge page, or null if there is no challenge.'),
  acsTransID: answers.id(),
  acsChallengeMandated: z.enum(['Y', 'N']),
  authenticationType: answers.text(),
  authenticationValue: answers.text(),
  eci: answers.text(),
  dsTransID: answers.id(),
  messageVersion: z.string(),
  transStatus: transStatusAnswer(),
  transStatusReason: answers.text(),
}));
export type AuthResponse = z.output<typeof AuthResponse>;

export const PostauthResponse = answers.component('Postauthentication', () => ({
  transStatus: transStatusAnswer(),
  eci: answers.text(),
  authenticationValue: answers.text(),
  challengeCancel: answers.text().describe('01: the payer abandoned the challenge; 04: it timed out.'),
  interactionCounter: answers.text(),
}));
export type PostauthResponse = z.output<typeof PostauthResponse>;

/** A transaction in the control API. */
export const TransactionResponse = answers.component('ThreeDSTransaction', () => ({
  ThreeDSServerTransID: answers.id(),
  Status: z.enum(AUTHENTICATION_STATUSES).describe('CHALLENGED: waiting for the payer to answer.'),
  Ending: z.enum(CHALLENGE_ENDINGS).nullable().describe('How the challenge ended.'),
  CardNumber: z.string().describe('Masked: 4111********1111.'),
  CardType: z.string().describe('The card scheme.'),
  TokenId: answers.text(),
  ChargeId: answers.maybeId().describe('The charge that used the transaction or is waiting for it.'),
  RedirectUrl: answers.text().describe('The page of the challenge, while it waits for the payer.'),
  NotificationUrl: answers.text(),
  DateAdded: answers.instant(),
  DateEnded: answers.maybeInstant(),
}));
export type TransactionResponse = z.output<typeof TransactionResponse>;

/** The status of a challenge, and what its page sends to the shop afterwards. */
export const ChallengeResponse = answers.component('Challenge', () => ({
  Status: z.enum(AUTHENTICATION_STATUSES),
  NotificationUrl: answers.text(),
  Fields: z.strictObject({
    cres: z.string().describe('The result as Base64-encoded JSON, as an issuer sends it.'),
    threeDSServerTransID: answers.id(),
  }),
}));
export type ChallengeResponse = z.output<typeof ChallengeResponse>;
