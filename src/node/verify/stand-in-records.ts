import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { toSdkName } from '../../core/dialect/sdk.js';
import { dropNulls } from '../../core/given.js';
import { isObject } from '../../core/text/text.js';
import type { JsonObject } from '../../control/opening/file-format.js';

/** Sends a call to the fresh world. Resolves with the answer, which may be a refusal: that of a declined charge names it, too. */
export type SendToWorld = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<JsonObject>;

/** The POST that makes a record like one that the service showed. */
type MakingCall = readonly [path: string, body: object, headers?: Readonly<Record<string, string>>];

/** A kind of records. */
export interface RecordKind {
  /** The field of an answer with the identifier of such a record. */
  readonly field: string;
  /** The paths with such an identifier. */
  readonly paths?: RegExp;
  /** Further fields that name a record of this kind. */
  readonly aliases?: readonly string[];
  /** Undefined for a record that a fresh world cannot have. */
  readonly build?: (shown: JsonObject, world: StandInWorld) => MakingCall | Promise<MakingCall>;
  /** Brings the new record into the state that was shown. */
  readonly finish?: (id: string, shown: JsonObject, send: SendToWorld) => Promise<void>;
}

const DEPTH_MAX = 6;
const AMOUNT = 20;
const CARD_NUMBER = '4111111111111111';
/** The fields that a new record copies from the one that was shown. A call ignores those that it does not have. */
const COPIED_FIELDS = [
  'Address',
  'Authorization',
  'Currency',
  'Description',
  'Descriptor',
  'Email',
  'FirstName',
  'Initiator',
  'LastName',
  'Metadata',
  'Phone',
  'Reference',
];

/** Outer records come first: what has a ChargeId is a charge, whatever else it names. */
const KINDS: readonly RecordKind[] = [
  { field: 'TransferId' },
  {
    field: 'SubscriptionId',
    paths: /^\/subscription/,
    build: async (shown, world) => {
      const PaymentMethodId = await world.find('PaymentMethodId', shown, true);
      return ['/subscription/payment_method', { PaymentMethodId, Amount: AMOUNT, Interval: 'Month' }];
    },
  },
  { field: 'ChargeId', paths: /^\/(?:charge|refund)/, build: buildCharge, finish: finishCharge },
  {
    field: 'PaymentMethodId',
    paths: /^\/payment_method/,
    aliases: ['DefaultPaymentMethodId'],
    build: async (shown, world) => {
      const customer = await world.find('CustomerId', shown);
      const owner = customer === null ? '' : `/customer/${customer}`;
      const VaultCard = typeof readBodyField(shown, 'VaultId') === 'string';
      return [`${owner}/payment_method/card`, { ...buildCard(shown, shown), VaultCard }];
    },
  },
  {
    field: 'CustomerId',
    paths: /^\/customer/,
    build: (shown) => ['/customer/card', buildCard(readObject(shown, 'DefaultPaymentMethod'), shown)],
  },
  {
    field: 'TokenId',
    paths: /\/token\//,
    aliases: ['Token', 'NetworkTokenId'],
    build: (shown) => {
      const { ProviderId, ...card } = buildCard(readObject(shown, 'PaymentInformation'), shown);
      return ['/token/card', card, { providerid: ProviderId }];
    },
  },
  {
    field: 'VaultId',
    paths: /^\/vault/,
    build: () => ['/vault', { CardNumber: CARD_NUMBER, Ccv: '123', ExpireSeconds: 86_400 }],
  },
  {
    field: 'PaymentLinkId',
    paths: /^\/payment_link/,
    build: () => ['/payment_link', { Title: 'A link', Amount: AMOUNT }],
  },
  {
    field: 'WebhookSubscriptionId',
    paths: /^\/webhook/,
    build: () => ['/webhook/subscription', { Url: 'https://shop.example/hook', Types: ['Transaction'] }],
  },
];

/** The kind of records that an identifier in a path belongs to; undefined if there is none. */
export function findRecordKind(path: string): RecordKind | undefined {
  return KINDS.find(({ paths }) => paths?.test(path));
}

/** The kind of records that a field in either dialect names. */
export function findNamedKind(name: string): RecordKind | undefined {
  return KINDS.find(
    ({ field, aliases = [], build }) =>
      build !== undefined && [field, ...aliases].some((known) => known === name || toSdkName(known) === name),
  );
}

/** Collects what answers show of each record, by its identifier. Of a field that changes, the first value stays. */
export function collectShown(answer: unknown, views: Map<string, JsonObject>, depth = 0): void {
  if (depth > DEPTH_MAX || typeof answer !== 'object' || answer === null) return;
  if (isObject(answer)) {
    const id = KINDS.map(({ field }) => readBodyField(answer, field)).find((value) => value !== null);
    if (typeof id === 'string') views.set(id, { ...answer, ...dropNulls(views.get(id) ?? {}) });
  }
  for (const inner of Object.values(answer)) collectShown(inner, views, depth + 1);
}

/** Makes the records that the service has and a fresh world lacks, each once. */
export class StandInWorld {
  readonly #made = new Map<string, string>();

  constructor(
    private readonly send: SendToWorld,
    /** The latest answer of the service about each record. */
    private readonly views: ReadonlyMap<string, JsonObject>,
    private readonly onMade: (theirs: string, mine: string) => void,
  ) {}

  /** The record in the place of one that the service showed, with fields as they were `before`; null if none can be made. */
  async make(kind: RecordKind, theirs: string, fallback = {}, before = {}): Promise<string | null> {
    const known = this.#made.get(theirs);
    if (known !== undefined) return known;
    const mine = await this.#makeLike(kind, { ...(this.views.get(theirs) ?? fallback), ...before });
    if (mine === null) return null;
    this.#made.set(theirs, mine);
    this.onMade(theirs, mine);
    return mine;
  }

  async #makeLike({ field, build, finish }: RecordKind, shown: JsonObject): Promise<string | null> {
    if (build === undefined) return null;
    const [path, body, headers] = await build(shown, this);
    const copied = dropNulls(
      Object.fromEntries(COPIED_FIELDS.map((name) => [name, readBodyField(shown, name)])),
    );
    const id = readBodyField(await this.send('POST', path, { ...copied, ...body }, headers), field);
    if (typeof id !== 'string') return null;
    await finish?.(id, shown, this.send);
    return id;
  }

  /** The record that an answer names in a field; null if it names none. `isNeeded` makes one even then. */
  async find(field: string, shown: JsonObject, isNeeded = false): Promise<string | null> {
    const theirs = readBodyField(shown, field);
    const kind = findNamedKind(field);
    if (kind === undefined) return null;
    if (typeof theirs === 'string') return this.make(kind, theirs);
    return isNeeded ? this.#makeLike(kind, shown) : null;
  }
}

/** The status of a charge, and its instrument. */
function readCharge(shown: JsonObject) {
  const word = readBodyField(shown, 'Status');
  const status = typeof word === 'string' ? word.toUpperCase() : '';
  const authorised = readBodyField(shown, 'AuthorisationAmount');
  const amount = readBodyField(shown, 'Amount') ?? authorised ?? AMOUNT;
  const isHeld = status.startsWith('AUTHORISE');
  return { status, isHeld, amount, authorised: authorised ?? (isHeld ? amount : null) };
}

async function buildCharge(shown: JsonObject, world: StandInWorld): Promise<MakingCall> {
  const { status, amount, authorised } = readCharge(shown);
  const body = { Amount: authorised ?? amount, Capture: authorised === null };
  const outcome = { 'x-sandbox-outcome': status === 'FAILED' ? 'do_not_honor' : 'approve' };
  const CustomerId = await world.find('CustomerId', shown);
  // A customer can only be charged at the provider of its payment method.
  if (CustomerId !== null)
    return ['/charge/customer', { ...body, CustomerId, ...findProvider(shown) }, outcome];
  return ['/charge/card', { ...body, ...buildCard(readObject(shown, 'PaymentInformation'), shown) }, outcome];
}

async function finishCharge(id: string, shown: JsonObject, send: SendToWorld): Promise<void> {
  const { status, isHeld, amount: Amount, authorised } = readCharge(shown);
  if (status === 'AUTHORISE_CANCELLED') await send('DELETE', `/charge/${id}/void`);
  else if (authorised !== null && !isHeld) await send('POST', `/charge/${id}/capture`, { Amount });
  if (status.includes('REFUND'))
    await send('DELETE', `/refund/${id}`, { Amount: readBodyField(shown, 'RefundedAmount') ?? Amount });
}

/** A card like the one that was shown, without its number, at the provider of its owner. */
function buildCard(shown: JsonObject, owner: JsonObject) {
  const card = readObject(shown, 'Card');
  const ccvCheck = readBodyField(card, 'CcvCheck');
  return {
    ...findProvider(owner),
    PaymentInformation: {
      CardNumber: CARD_NUMBER,
      ExpiryDate: '12/49',
      ...(typeof readBodyField(card, 'Cardholder') === 'string' ? { Cardholder: 'Jo Smith' } : {}),
      ...(ccvCheck === null || ccvCheck === false ? {} : { Ccv: '123' }),
    },
  };
}

function findProvider(shown: JsonObject): { readonly ProviderId: string } {
  const id =
    readBodyField(shown, 'ProviderId') ??
    readBodyField(readObject(shown, 'DefaultPaymentMethod'), 'ProviderId');
  return { ProviderId: typeof id === 'string' ? id : DEFAULT_PROVIDER_ID };
}

/** A field of an answer in either dialect. */
export function readBodyField(shown: JsonObject, name: string): unknown {
  return shown[name] ?? shown[toSdkName(name)] ?? null;
}

function readObject(shown: JsonObject, name: string): JsonObject {
  const value = readBodyField(shown, name);
  return isObject(value) ? value : {};
}
