import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { dropNulls } from '../../core/given.js';
import { isObject } from '../../core/text/text.js';
import type { JsonObject } from '../files/json-file.js';

/** Sends a call to the fresh world. Resolves with the answer; null if it is a refusal. */
export type SendToWorld = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<JsonObject | null>;

/** Makes a record like one that the service showed; resolves with its identifier, or null. */
type MakeRecord = (world: StandInWorld, shown: JsonObject) => Promise<string | null>;

const DEPTH_MAX = 6;
const CARD_NUMBER = '4111111111111111';
const PERSON = ['FirstName', 'LastName', 'Email', 'Phone', 'Reference', 'Address', 'Metadata'] as const;
const ORDER = ['Reference', 'Descriptor', 'Initiator', 'Metadata', 'Currency'] as const;

/** The kinds of records, by the name of the field that has their identifier. */
const MAKERS: Readonly<Record<string, MakeRecord>> = {
  CustomerId: async ({ send }, shown) =>
    readId(
      await send('POST', '/customer/card', {
        ...buildCard(readObject(shown, 'DefaultPaymentMethod'), findProvider(shown)),
        ...pick(shown, PERSON),
      }),
      'CustomerId',
    ),
  PaymentMethodId: async (world, shown) => {
    const customer = await world.find('CustomerId', shown);
    const path = customer === null ? '/payment_method/card' : `/customer/${customer}/payment_method/card`;
    return readId(
      await world.send('POST', path, {
        ...buildCard(shown),
        VaultCard: typeof readField(shown, 'VaultId') === 'string',
      }),
      'PaymentMethodId',
    );
  },
  ChargeId: makeCharge,
  TokenId: async ({ send }, shown) => {
    const { ProviderId, ...card } = buildCard(readObject(shown, 'PaymentInformation'), findProvider(shown));
    return readId(await send('POST', '/token/card', card, { providerid: ProviderId }), 'TokenId');
  },
  VaultId: async ({ send }) =>
    readId(
      await send('POST', '/vault', { CardNumber: CARD_NUMBER, Ccv: '123', ExpireSeconds: 86_400 }),
      'VaultId',
    ),
  SubscriptionId: async (world, shown) => {
    const PaymentMethodId = await world.find('PaymentMethodId', shown, true);
    const body = { PaymentMethodId, Amount: 20, Interval: 'Month', ...pick(shown, ['Currency', 'Metadata']) };
    return readId(await world.send('POST', '/subscription/payment_method', body), 'SubscriptionId');
  },
  PaymentLinkId: async ({ send }, shown) =>
    readId(
      await send('POST', '/payment_link', {
        Title: 'A link',
        Amount: 20,
        ...pick(shown, ['Description', 'Currency', 'Metadata']),
      }),
      'PaymentLinkId',
    ),
  WebhookSubscriptionId: async ({ send }, shown) =>
    readId(
      await send('POST', '/webhook/subscription', {
        Url: 'https://shop.example/hook',
        Types: ['Transaction'],
        ...pick(shown, ['Authorization']),
      }),
      'WebhookSubscriptionId',
    ),
};

/** The field of the records that a path names, by its first word. */
const FIELD_OF_PATH: Readonly<Record<string, string>> = {
  charge: 'ChargeId',
  refund: 'ChargeId',
  customer: 'CustomerId',
  payment_method: 'PaymentMethodId',
  vault: 'VaultId',
  token: 'TokenId',
  subscription: 'SubscriptionId',
  payment_link: 'PaymentLinkId',
  webhook: 'WebhookSubscriptionId',
};
const OTHER_NAMES: Readonly<Record<string, string>> = {
  Token: 'TokenId',
  NetworkTokenId: 'TokenId',
  DefaultPaymentMethodId: 'PaymentMethodId',
};

/** The field whose records an identifier in a path belongs to; undefined if there is none. */
export function findPathField(path: string): string | undefined {
  if (path.includes('/token/')) return 'TokenId';
  return FIELD_OF_PATH[path.split('/')[1] ?? ''];
}

/** The field with the identifier of a record that another field names. */
export function findNamedField(name: string): string | undefined {
  const field = name.charAt(0).toUpperCase() + name.slice(1);
  const known = OTHER_NAMES[field] ?? field;
  return Object.hasOwn(MAKERS, known) ? known : undefined;
}

/** The fields with the identifier of a record, outer records first: one that has a ChargeId is a charge, whatever else it names. */
const OWNERS = [
  'TransferId',
  'SubscriptionId',
  'ChargeId',
  'PaymentMethodId',
  'CustomerId',
  'TokenId',
  'VaultId',
  'PaymentLinkId',
  'WebhookSubscriptionId',
];

/** Collects what answers show of each record, by its identifier. Of a field that changes, the first value stays. */
export function collectShown(answer: unknown, views: Map<string, JsonObject>, depth = 0): void {
  if (depth > DEPTH_MAX || typeof answer !== 'object' || answer === null) return;
  if (isObject(answer)) {
    const owner = OWNERS.find((field) => readField(answer, field) !== null);
    const id = owner === undefined ? null : readField(answer, owner);
    if (typeof id === 'string') views.set(id, { ...answer, ...dropNulls(views.get(id) ?? {}) });
  }
  for (const inner of Object.values(answer)) collectShown(inner, views, depth + 1);
}

/** Makes the records that the service has and a fresh world lacks, each once. */
export class StandInWorld {
  readonly #made = new Map<string, string>();

  constructor(
    readonly send: SendToWorld,
    /** What the answers of the service show of each record. */
    private readonly views: ReadonlyMap<string, JsonObject>,
    private readonly onMade: (theirs: string, mine: string) => void,
  ) {}

  /** The record in the place of one that the service showed, as it was before; null if none can be made. */
  async make(
    field: string,
    theirs: string,
    fallback: JsonObject = {},
    before: JsonObject = {},
  ): Promise<string | null> {
    const known = this.#made.get(theirs);
    if (known !== undefined) return known;
    const mine = await MAKERS[field]?.(this, { ...(this.views.get(theirs) ?? fallback), ...before });
    if (mine === undefined || mine === null) return null;
    this.#made.set(theirs, mine);
    this.onMade(theirs, mine);
    return mine;
  }

  /** The record that an answer names in a field; null if it names none. `isNeeded` makes one even then. */
  async find(field: string, shown: JsonObject, isNeeded = false): Promise<string | null> {
    const theirs = readField(shown, field);
    if (typeof theirs === 'string') return this.make(field, theirs);
    return isNeeded ? ((await MAKERS[field]?.(this, shown)) ?? null) : null;
  }
}

async function makeCharge(world: StandInWorld, shown: JsonObject): Promise<string | null> {
  const word = readField(shown, 'Status');
  const status = typeof word === 'string' ? word.toUpperCase() : '';
  const paid = readObject(shown, 'PaymentInformation');
  const Amount = readField(shown, 'AuthorisationAmount') ?? readField(shown, 'Amount') ?? 20;
  const isHeld = status.startsWith('AUTHORISE') || readField(shown, 'AuthorisationAmount') !== null;
  const body = { Amount, Capture: !isHeld, ...pick(shown, ORDER) };
  const outcome = { 'x-sandbox-outcome': status === 'FAILED' ? 'do_not_honor' : 'approve' };
  const customer = await world.find('CustomerId', shown);
  const charged =
    customer === null
      ? await world.send(
          'POST',
          '/charge/card',
          { ...body, ...buildCard(paid, findProvider(shown)) },
          outcome,
        )
      : await world.send(
          'POST',
          '/charge/customer',
          { ...body, CustomerId: customer, ...findProvider(shown) },
          outcome,
        );
  const id = readId(charged, 'ChargeId');
  if (id === null) return null;
  if (status === 'AUTHORISE_CANCELLED') await world.send('DELETE', `/charge/${id}/void`);
  else if (isHeld && !status.startsWith('AUTHORISE'))
    await world.send('POST', `/charge/${id}/capture`, { Amount: readField(shown, 'Amount') ?? Amount });
  if (status.includes('REFUND'))
    await world.send('DELETE', `/refund/${id}`, { Amount: readField(shown, 'RefundedAmount') ?? Amount });
  return id;
}

/** A card like the one that was shown, without its number. */
function buildCard(shown: JsonObject, { ProviderId }: { readonly ProviderId: string } = findProvider(shown)) {
  const card = readObject(shown, 'Card');
  return {
    ProviderId,
    PaymentInformation: {
      CardNumber: CARD_NUMBER,
      ExpiryDate: '12/49',
      ...(typeof readField(card, 'Cardholder') === 'string' ? { Cardholder: 'Jo Smith' } : {}),
      ...(readField(card, 'CcvCheck') === false || readField(card, 'CcvCheck') === null
        ? {}
        : { Ccv: '123' }),
    },
  };
}

/** A customer can only be charged at the provider of its payment method. */
function findProvider(shown: JsonObject): { readonly ProviderId: string } {
  const id =
    readField(shown, 'ProviderId') ?? readField(readObject(shown, 'DefaultPaymentMethod'), 'ProviderId');
  return { ProviderId: typeof id === 'string' ? id : DEFAULT_PROVIDER_ID };
}

/** A field of an answer in either dialect. */
export function readField(shown: JsonObject, name: string): unknown {
  return shown[name] ?? shown[name.charAt(0).toLowerCase() + name.slice(1)] ?? null;
}

function readObject(shown: JsonObject, name: string): JsonObject {
  const value = readField(shown, name);
  return isObject(value) ? value : {};
}

function readId(answer: JsonObject | null, field: string): string | null {
  const id = answer === null ? null : readField(answer, field);
  return typeof id === 'string' ? id : null;
}

/** The named fields that have a value. */
function pick(shown: JsonObject, names: readonly string[]): JsonObject {
  const pairs = names.map((name) => [name, readField(shown, name)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== null));
}
