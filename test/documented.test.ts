import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

/**
 * What the service's public pages and client libraries say, and the tests that prove it here. D: documented on a public page. S: seen in a
 * public client library or plug-in. I: inferred from these. A fact without a test has the reason why.
 */
type Basis = 'D' | 'S' | 'I';
/** A file of tests, and the title of one of them. */
type Proof = `${string}: ${string}`;
type Fact = readonly [basis: Basis, fact: string, ...proofs: (Proof | { readonly because: string })[]];

const because = (reason: string) => ({ because: reason });

const STATUSES: readonly Fact[] = [
  [
    'D',
    'A POST that creates something is answered with 201, every other success with 200.',
    'http/answers/dialect-spellings: a POST that creates is answered with 201, every other success with 200',
    'http/answers/respond: a success is 201 where something is made, else 200, with a JSON object, for a DELETE too',
  ],
  ['D', 'Wrong credentials: 401.', 'http/auth: %s is a 401 that says why'],
  ['D', 'A wrong URL: 404.', 'http/edge: %s is a 404 with the nearest known paths'],
  [
    'D',
    'A conflict with existing data: 409.',
    'resources/charges/void: works once',
    'resources/transfers/transfers: refuses references that were used before',
  ],
  [
    'D',
    'Everything else that fails is 400: bad input, declines, providers that fail or are too slow.',
    'resources/charges/triggers: down is never available, and what it declines is stored',
    'control/scenario/outcomes: a time-out before the commit is a decline',
  ],
  [
    'D',
    'No 402 and no 5xx.',
    'core/errors: has no 402, 502 or 504, and 503 for the sandbox’s own limits alone',
  ],
  [
    'S',
    'Two libraries turn 408 and 504 into errors of their own, so code 80 comes with another status.',
    'control/scenario/outcomes: a time-out before the commit is a decline',
  ],
];

const ERRORS: readonly Fact[] = [
  [
    'D',
    'The fields are message, details, resource, gatewayCode, gatewayMessage, code, isRetryable and type, a link to the code.',
    'http/answers/dialect-errors: have exactly the fields that client libraries read, and the longer text as a warning',
  ],
  [
    'D',
    'Code 90: details maps each field in Pascal case to its text, resource is null.',
    'http/answers/dialect-errors: have details, and no resource, where the code is 90',
    'http/answers/dialect-errors: of a decline are named by the warning alone with their charge',
  ],
  [
    'D',
    'The sample of code 90 reads “The field Amount must be between 0.01 and 10000.”',
    because(
      'The sample has no date. A wrong amount has code 2 or 74 here, as client libraries have them; the page on fidelity lists it.',
    ),
  ],
  [
    'D',
    'A gateway’s refusal: the gateway’s own code and message, and details of payer, card and the gateway’s raw JSON under its code.',
    'resources/charges/declines: of %s are those of the public sample',
  ],
  [
    'D',
    'A gateway’s refusal that maps to no code has code 1.',
    'resources/charges/declines: is asked for by header',
    'resources/charges/declines: is asked for by card',
    'resources/charges/declines: is asked for by a rule',
  ],
  [
    'D',
    'One page writes “errorscodes” in the link of type, the libraries “errorcodes”.',
    because('The link is that of the libraries.'),
  ],
];

const WEBHOOKS: readonly Fact[] = [
  [
    'D',
    'POST of JSON, with Authorization exactly as given with the webhook.',
    'webhooks/events: sends it with its Authorization as given, in the form of the service',
  ],
  [
    'D',
    'The headers X-Payfurl-Version and X-Payfurl-Signature; a white label has a prefix of its own.',
    'webhooks/signature: in the %s dialect is over the raw body',
    'webhooks/signature: a white label has its own prefix before the names of both headers',
  ],
  [
    'D',
    'The signature is Base64 of HMAC-SHA-256 over the raw body, keyed with the text of the key.',
    'webhooks/signature: in the %s dialect is over the raw body',
    'webhooks/signature: is keyed with the text %s as it is',
    'webhooks/page: The receiver of the page verifies what it gets.',
  ],
  [
    'D',
    'The body is camelCase: meta with messageId, timestamp, type and eventType, and data.',
    'webhooks/events: in the %s dialect is camelCase, leaves out fields without a value, and says %s',
  ],
  [
    'D',
    'The sample of a transaction: its fields, amount as a number, the card masked, the estimated cost.',
    'webhooks/events: of a charge has the fields of the public sample',
  ],
  [
    'D',
    'Sent for success, failure, a change of status, refund and partial refund.',
    'webhooks/events: sends it at each change of its status',
    'webhooks/events: sends it when it is declined, voided, and when its authorisation expires',
    'webhooks/events: has every refund of a charge',
  ],
  [
    'D',
    'Url is https and not an IP address.',
    'resources/charges/members: a Webhook with the Url %j is refused',
    'resources/charges/members: a Webhook with the Url %s is taken',
  ],
  [
    'D',
    'The schedule of retries, time-outs and the bodies of other events are not given.',
    because('They are ours, and the page on fidelity says so.'),
  ],
];

const FACTS: readonly Fact[] = [
  [
    'D',
    'Date-times are UTC with up to seven fractional digits.',
    'core/time/time: %s is %s',
    'core/time/client-time: %j is read',
  ],
  [
    'D',
    'The vault holds number and Ccv; the expiry date stays with the payment method.',
    'resources/vault/vault: answers the whole card',
    'resources/payment-methods/from-vault: takes VaultId and ExpiryDate in place of PaymentMethodId',
  ],
  [
    'D',
    'An entry expires by seconds or by a date, never both.',
    'resources/vault/vault: refuses %s and stores nothing',
  ],
  [
    'D',
    'A stored Ccv is removed at the first payment or after a short delay, whichever comes first.',
    'resources/charges/payment-method: is used by the first charge and gone afterwards',
    'resources/vault/ccv-ttl: is there until its time is over, and the card stays',
  ],
  [
    'D',
    'A token belongs to one provider and is used once.',
    'resources/charges/token: charges through the provider of the token',
    'resources/charges/token: is spent by its first charge',
  ],
  [
    'S',
    'After a challenge of 3-D Secure the same token is charged.',
    'resources/three-d-secure/authentication: who is challenged and approves, and then the same token is charged',
  ],
  ['D', 'A batch needs Count, Description and Batch.', 'resources/batches/batches: for %s'],
  [
    'D',
    'The request of a batch is below 10 MB.',
    'resources/batches/batches: for too long a body, whether its length is stated or not',
    because(
      'The limit is 16 MiB unless --batch-body-limit says 10mb, because larger batches are tried here.',
    ),
  ],
  [
    'S',
    'Older library tests expect CR LF between the lines of Results.',
    'resources/batches/batches: takes a CR LF file and answers with LF',
    because('Results has LF, as the specification says newline.'),
  ],
  [
    'D',
    'A subscription takes each period once and starts today unless told otherwise, in UTC, with its first charge on the start date.',
    'resources/subscriptions/create: takes each period once where Frequency is left out, and shows what is not said as null',
    'resources/subscriptions/create: is due at once without StartDate: the next request sees it',
    'resources/subscriptions/create: is due at a StartDate to come, and not an instant before',
  ],
  [
    'D',
    'A subscription ends by Amount, by Count of successful charges, or by Date, the last day that may charge.',
    'resources/subscriptions/charging: comes %s: then it is Complete',
    'resources/subscriptions/charging: counts what was charged: a declined one is made up for at the end',
    'resources/subscriptions/charging: comes after a charge late on the day of Date, by UTC',
  ],
  [
    'D',
    'A subscription retries by interval, frequency and maximum.',
    'resources/subscriptions/charging: is tried again %s',
  ],
  [
    'D',
    'Routing is off, by lowest cost, or weighted by success.',
    'resources/providers/least-cost: charges the cheapest provider for the amount',
    because('No call that sets a routing by success is known.'),
  ],
  [
    'D',
    'The secret key is for servers, the public key for the client script.',
    'resources/tokens/public-key: reaches nothing else: %s %s',
    'resources/tokens/public-key: that is %s is a 401 that does not repeat it',
  ],
  [
    'S',
    'A plug-in checks its credentials with GET /info/providers, sending x-publickey together with a useless x-secretkey, once or twice.',
    'resources/tokens/public-key: decides, whatever the secret one holds: %s',
  ],
  [
    'S',
    'The client script calls POST /token/card, /token/card/least_cost and /3ds/* with the public key.',
    'resources/tokens/public-key: makes tokens in the world of its secret key, which charges them',
    'resources/tokens/public-key: makes tokens at the cheapest provider and lists the ways to pay',
    'resources/three-d-secure/fields: The calls of a page take and answer the fields that the client script sends and reads.',
  ],
  [
    'S',
    'Plug-ins ask GET /info/providers with an empty cart: Amount 0, 0.0000 or empty, an empty Currency.',
    'resources/providers/info: takes the empty cart of a plug-in: %s',
  ],
  [
    'S',
    'Java prints dates in the zone of its machine.',
    'core/time/client-time: %j is read',
    'core/time/client-time: the name %s, which has several meanings, is read as %s',
    'http/answers/dialect-requests: the date %j is taken in bodies',
  ],
  [
    'D',
    'The service stands at sandbox-api.payfurl.com and api.payfurl.com.',
    because('playmoney calls neither. The guide that compares both names the sandbox.'),
  ],
];

const THREE_D_SECURE: readonly Fact[] = [
  [
    'S',
    'What POST /3ds/preauth, /3ds/auth and /3ds/postauth take and answer, with a card or a token.',
    'resources/three-d-secure/fields: The calls of a page take and answer the fields that the client script sends and reads.',
  ],
  [
    'I',
    'The order: preauthentication, authentication, challenge, result, charge.',
    'resources/three-d-secure/authentication: who is challenged and approves, and then the same token is charged',
    'resources/three-d-secure/authentication: who ends the challenge with %s: the charge is declined with code 18',
  ],
  [
    'S',
    'Charges take ThreeDSNotificationUrl and answer threeDsRedirectUrl, threeDsVerified and threeDSServerTransID.',
    'resources/three-d-secure/authentication: waits for its payer, who approves',
  ],
  [
    'S',
    'The codes 18, 59 and 113 are about 3-D Secure.',
    'resources/three-d-secure/authentication: who ends the challenge with %s: the charge is declined with code 18',
    'resources/three-d-secure/authentication: that is unknown is refused with code 59: %s',
    'resources/three-d-secure/authentication: who is challenged and approves, and then the same token is charged',
  ],
];

const SCRIPT: readonly Fact[] = [
  [
    'S',
    'The script is served by version; its object is global and given to a loader of AMD modules.',
    'control/pages/pages: is there in the version %s, without a key',
    'browser/page-script: a loader of AMD modules is given the same object',
  ],
  [
    'S',
    'init takes sandbox or production, and a public key; calls are chained.',
    'browser/page-script: a wrong call says what is wrong',
  ],
  [
    'S',
    'Forms for cards, drop-in, PayTo, wallets and checkouts.',
    'browser/page-script: a card is paid by the shop’s own button, and its token charged by the back end',
    'browser/page-script: the drop-in takes cards, and what the providers of the world take',
    'browser/page-script: PayTo gives a token, which can be charged once its payer has agreed',
    'browser/page-script: the button of %s gives a transactionId, which the back end reads as a charge',
  ],
  [
    'S',
    'addCardLeastCost with threeDSEmail, addThreeDsWithToken and tokeniseWith3Ds authenticate the payer.',
    'browser/page-script-3ds: a payer who approves the challenge in its frame has paid, once',
    'browser/page-script-3ds: addThreeDsWithToken: a token that was refused for want of 3-D Secure is charged after the challenge',
    'browser/page-script-3ds: tokeniseWith3Ds: the card of a shop’s own fields is challenged and charged once, also after a double click',
  ],
  [
    'S',
    'setCustomerInfo, setBillingAddress, setOrderInfo and preloadClickToPay are called before a payment.',
    'browser/page-script: a card is paid by the shop’s own button, and its token charged by the back end',
    because('Nothing is known that they change, so they have no effect.'),
  ],
  [
    'S',
    'setAmount changes the amount.',
    'browser/page-script: a card is paid by the button of the form, with the amount that was set last',
  ],
  [
    'S',
    'execute, onValidate, onSuccess with a token or a transactionId.',
    'browser/page-script: a card is paid by the shop’s own button, and its token charged by the back end',
    'browser/page-script: nothing is sent while onValidate answers false; then a double click on “%s” makes one token',
    'browser/page-script: the button of %s gives a transactionId, which the back end reads as a charge',
  ],
  [
    'S',
    'One plug-in shows a failure as text, another reads its error.',
    'browser/page-script: a decline is shown in the form, the page can show and read it, and another card is accepted',
  ],
  [
    'S',
    'The names of the elements within the forms, and what wallets show, are not known.',
    because('They are ours, and the page on fidelity says so.'),
  ],
];

const SUITES: readonly Fact[] = [
  [
    'S',
    'The suites of client libraries list and read tokens before they charge them.',
    'resources/tokens/search: answers what is known of a token, and when it was used',
    'resources/tokens/search: answers all, newest first, with the page and the number of matches',
  ],
  [
    'S',
    'Two tests set a client time-out of 10 ms and expect it, so a charge takes at least 20 ms.',
    'scenarios/file/library: %s goes as its transcript in the page says',
  ],
  [
    'S',
    'A library whose list ends at code 107 shows 901 to 996 as “unknown error”.',
    'core/errors: knows the answers of issuers from 901 to 996',
  ],
];

const ALL = [...STATUSES, ...ERRORS, ...WEBHOOKS, ...FACTS, ...THREE_D_SECURE, ...SCRIPT, ...SUITES].map(
  ([basis, fact, ...proofs]) => ({ basis, fact, proofs }),
);

test.each(ALL)('What the public pages say is proved or explained ($basis): $fact', ({ proofs }) => {
  const lost = proofs.filter((proof) => typeof proof === 'string' && !isThere(proof));
  expect(proofs.length).toBeGreaterThan(0);
  expect(lost).toEqual([]);
});

/** Whether a file has a test with such a title. */
function isThere(proof: Proof): boolean {
  const [file = '', ...words] = proof.split(': ');
  const source = readFileSync(join(import.meta.dirname, `${file}.test.ts`), 'utf8');
  return ["'", '"', '`'].some((quote) => source.includes(quote + words.join(': ') + quote));
}
