import { isObject } from '../text/text.js';

/**
 * Copies an answer for client libraries: names begin with a lower-case letter, except the keys of a caller's own maps. `fill` completes
 * each object of the copy.
 */
export function toSdk(documented: unknown, fill?: (answer: Record<string, unknown>) => void): unknown {
  if (Array.isArray(documented)) return documented.map((item) => toSdk(item, fill));
  if (!isObject(documented)) return documented;
  const answer: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(documented)) {
    answer[toSdkName(name)] = OWN_MAPS.has(name) ? inner : (findSdkWord(name, inner) ?? toSdk(inner, fill));
    for (const [absent, value] of ABSENT_FIELDS.get(name) ?? []) answer[toSdkName(absent)] ??= value;
  }
  const { paymentInformation, provider } = answer;
  if (isObject(paymentInformation))
    answer['paymentInformation'] = presentSdkPayment(paymentInformation, provider);
  fill?.(answer);
  return answer;
}

function presentSdkPayment(payment: object, provider: unknown): object {
  const type = isObject(provider) && 'type' in provider ? provider.type : null;
  return { ...payment, displayType: null, providerType: type };
}

export function toSdkName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function findSdkWord(name: string, value: unknown): string | undefined {
  return typeof value === 'string' ? ANSWER_WORDS.get(name)?.get(value) : undefined;
}

/** The special formats of the `sdk` dialect. A new field that needs it gets a row in a table. */

/** Names, in lower case, that client libraries send for a field with another name. */
export const ODD_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['webhookconfig', 'Webhook'],
  ['checkouttransfer', 'Transfer'],
]);

/** Fields that a client library sends as an index into a list of words. */
export const INTEGER_ENUMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Initiator', ['CUSTOMER', 'MERCHANT']],
  ['Status', ['Complete', 'Active', 'Cancelled', 'Suspended']],
  ['CallToAction', ['Pay', 'Donate']],
]);

/** Fields that count as left out when their text is empty, because plug-ins send the empty fields of a form. */
export const EMPTY_IS_ABSENT: ReadonlySet<string> = new Set([
  'FirstName',
  'LastName',
  'Reference',
  'Email',
  'Phone',
]);

/** Fields of an answer that hold a caller's own map: its keys are never changed. */
export const OWN_MAPS: ReadonlySet<string> = new Set([
  'Metadata',
  'Details',
  'AuthenticationParameters',
  'AdditionalParameters',
  'ProviderTokenData',
  'ProviderPaymentMethodData',
  'SchemeTokenData',
  'NetworkTokenData',
  'GatewayTokenData',
  'ClientParameters',
  'Options',
  'RequiredFields',
]);

/** Words of an answer that client libraries spell differently, by field. */
export const ANSWER_WORDS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['Status', new Map([['Authorised', 'AUTHORISE']])],
]);

type AbsentField = readonly [field: string, value: null | false];

/**
 * Fields that client libraries read but the sandbox has no value for, by a field that identifies the object they belong to.
 * They are written because some libraries do not check whether they exist: as null, or as false for types without null.
 */
export const ABSENT_FIELDS: ReadonlyMap<string, readonly AbsentField[]> = new Map<
  string,
  readonly AbsentField[]
>([
  ['ProviderChargeId', [['VisaInstallments', null]]],
  [
    'CcvCheck',
    [
      // False even if no Ccv was checked.
      ['CcvCheck', false],
      ['IinData', null],
      ['ThreeDSServerTransID', null],
    ],
  ],
  [
    'ProviderPaymentMethodId',
    [
      ['Token', null],
      ['NetworkToken', null],
      ['NetworkTokenId', null],
      ['FallbackPaymentMethodId', null],
      ['UserId', null],
      ['Ip', null],
    ],
  ],
  ['PublicKey', [['SecretKey', null]]],
]);
