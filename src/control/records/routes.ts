import type { Context } from 'hono';
import * as z from 'zod';

import { presentBatchStatus } from '../../resources/batches/presenter.js';
import { BatchStatusResponse, SearchBatches } from '../../resources/batches/schema.js';
import { searchBatches } from '../../resources/batches/service.js';
import { presentCharge } from '../../resources/charges/presenter.js';
import { ChargeResponse, SearchCharges } from '../../resources/charges/schema.js';
import { searchCharges } from '../../resources/charges/search.js';
import { shortenId } from '../../core/cards/card.js';
import { CODE, refuse } from '../../core/errors.js';
import { type SearchResult, type Page, pageByDate, allRecords } from '../../core/store/search.js';
import { presentCustomer } from '../../resources/customers/presenter.js';
import { CustomerResponse, SearchCustomers } from '../../resources/customers/schema.js';
import { searchCustomers } from '../../resources/customers/search.js';
import * as answers from '../../http/answers/answers.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { addressOf } from '../../http/mounted.js';
import { requestSchema } from '../../http/fields/field.js';
import { pageFields } from '../../http/fields/list-fields.js';
import { type AnyRow, route, type Section } from '../../http/route.js';
import { buildSearchRow } from '../../http/answers/rows.js';
import { presentMethod } from '../../resources/payment-methods/presenter.js';
import { PaymentMethodResponse, SearchMethods } from '../../resources/payment-methods/schema.js';
import { searchMethods } from '../../resources/payment-methods/search.js';
import { presentPaymentLink } from '../../resources/payment-links/presenter.js';
import { PaymentLinkResponse, SearchPaymentLinks } from '../../resources/payment-links/schema.js';
import { searchPaymentLinks } from '../../resources/payment-links/service.js';
import { presentSubscription } from '../../resources/subscriptions/presenter.js';
import { SearchSubscriptions, SubscriptionResponse } from '../../resources/subscriptions/schema.js';
import { searchSubscriptions } from '../../resources/subscriptions/service.js';
import { presentTransfer } from '../../resources/transfers/presenter.js';
import { SearchTransfers, TransferResponse } from '../../resources/transfers/schema.js';
import { searchTransfers } from '../../resources/transfers/service.js';
import { KINDS, type RecordTypes } from '../../world/tables.js';
import { presentTransaction } from '../../resources/three-d-secure/presenter.js';
import { SearchTransactions, TransactionResponse } from '../../resources/three-d-secure/schema.js';
import { searchAuthentications } from '../../resources/three-d-secure/service.js';
import { presentVaultEntry } from '../../resources/vault/presenter.js';
import type { VaultEntry } from '../../records/vault-entry.js';
import { VaultEntryResponse } from '../../resources/vault/schema.js';
import type { World } from '../../world/world.js';
import type { Decision } from '../../records/charge.js';
import { findPrecedenceStep, findRuleName } from '../../outcomes/provider.js';
import { formatInstant } from '../../core/time/time.js';
import { FINDINGS_ROW } from '../findings/routes.js';
import { LIVE_ROW } from '../journal/live.js';
import { RECONCILE_ROW } from '../reconcile/routes.js';
import { addContains, searchContaining, type SearchSchema } from './contains.js';
import { BATCH_ROWS_ROW, JOBS_ROW } from './search-rows.js';
import type { TimedTable } from './histories.js';
import { DecisionResponse, TimelineItemResponse } from './schema.js';
import { presentTimeline } from './timeline.js';

const SearchEntries = requestSchema(pageFields, ({ Limit, Skip }) => ({
  page: { limit: Limit, skip: Skip },
}));

interface ObservedKind<T extends TimedTable, F extends { readonly page: Page }, R extends object> {
  readonly table: T;
  /** In the identifiers of the two operations: `lookCharge` and `lookCharges`. */
  readonly names: readonly [singular: string, plural: string];
  readonly query: SearchSchema<F>;
  readonly record: z.ZodType<R>;
  readonly search: (world: World, filter: F) => SearchResult<RecordTypes[T]>;
  readonly present: (world: World, record: RecordTypes[T], c: Context<Env>) => R;
  readonly decisionsOf?: (record: RecordTypes[T]) => readonly Decision[];
}

/** `PaymentMethods` becomes `payment-methods`. */
const splitWords = (name: string, by: string): string =>
  name.replaceAll(/(?<=.)(?=[A-Z])/g, by).toLowerCase();

function buildRecordRows<T extends TimedTable, F extends { readonly page: Page }, R extends object>(
  kind: ObservedKind<T, F, R>,
): AnyRow[] {
  const { table, names, query, record: shape, search, present, decisionsOf } = kind;
  const [singular, plural] = names;
  const at = `/_sandbox/records/${splitWords(table, '-')}`;
  const noun = splitWords(KINDS[table].counted, ' ');
  return [
    buildSearchRow({
      path: at,
      id: `look${plural}`,
      summary: `List ${noun} without affecting the world`,
      text: 'Newest first, in the same form as the service returns them.',
      query: addContains(query),
      list: 'Records',
      item: shape,
      search: (world, filter) => searchContaining(filter, (within) => search(world, within)),
      present,
    }),
    route({
      method: 'get',
      path: `${at}/{id}`,
      id: `look${singular}`,
      summary: `Read one of the ${noun}, with its history`,
      text: 'Timeline lists, oldest first, calls, the changes that they made, the webhooks that followed with their attempts, and then the jobs that are due. Decisions lists what decided the answers of the provider, unless it simply approved: the latest ten.',
      response: answers.object(() => ({
        Record: shape,
        Timeline: z.array(TimelineItemResponse),
        Decisions: z.array(DecisionResponse),
      })),
      errors: [[CODE.ValidationError, 404]],
      handle: (c, { params }) => {
        const world = requireWorld(c);
        const record = requireRecord(world, table, params.id);
        return {
          Record: present(world, record, c),
          Timeline: presentTimeline(world, table, record),
          Decisions: decisionsOf?.(record).map(presentDecision) ?? [],
        };
      },
    }),
  ];
}

export const OBSERVING: Section = {
  tag: 'Observing a world',
  text: 'Read a world without affecting it. These calls are not recorded in the journal, are not matched by scenarios and use up no identifiers.',
  rows: [
    ...buildRecordRows({
      table: 'charges',
      names: ['Charge', 'Charges'],
      query: SearchCharges,
      record: ChargeResponse,
      search: searchCharges,
      present: presentCharge,
      decisionsOf: ({ more }) => more.decisions,
    }),
    ...buildRecordRows({
      table: 'customers',
      names: ['Customer', 'Customers'],
      query: SearchCustomers,
      record: CustomerResponse,
      search: searchCustomers,
      present: presentCustomer,
    }),
    ...buildRecordRows({
      table: 'paymentMethods',
      names: ['Method', 'Methods'],
      query: SearchMethods,
      record: PaymentMethodResponse,
      search: searchMethods,
      present: presentMethod,
    }),
    ...buildRecordRows({
      table: 'vault',
      names: ['VaultEntry', 'VaultEntries'],
      query: SearchEntries,
      record: VaultEntryResponse,
      search: searchVaultEntries,
      present: presentVaultEntry,
    }),
    ...buildRecordRows({
      table: 'batches',
      names: ['Batch', 'Batches'],
      query: SearchBatches,
      record: BatchStatusResponse,
      search: searchBatches,
      present: presentBatchStatus,
    }),
    BATCH_ROWS_ROW,
    JOBS_ROW,
    ...buildRecordRows({
      table: 'authentications',
      names: ['Authentication', 'Authentications'],
      query: SearchTransactions,
      record: TransactionResponse,
      search: searchAuthentications,
      present: (_, found) => presentTransaction(found),
    }),
    ...buildRecordRows({
      table: 'subscriptions',
      names: ['Subscription', 'Subscriptions'],
      query: SearchSubscriptions,
      record: SubscriptionResponse,
      search: searchSubscriptions,
      present: (_, found) => presentSubscription(found),
    }),
    ...buildRecordRows({
      table: 'paymentLinks',
      names: ['PaymentLink', 'PaymentLinks'],
      query: SearchPaymentLinks,
      record: PaymentLinkResponse,
      search: searchPaymentLinks,
      present: (world, found, c) => presentPaymentLink(world, found, addressOf(c)),
    }),
    ...buildRecordRows({
      table: 'transfers',
      names: ['Transfer', 'Transfers'],
      query: SearchTransfers,
      record: TransferResponse,
      search: searchTransfers,
      present: (_, found) => presentTransfer(found),
    }),
    buildSearchRow({
      path: '/_sandbox/charges',
      id: 'searchWorldCharges',
      summary: 'Search charges without affecting the world',
      text: 'For assertions in tests: like GET /charge, but not recorded in the journal and not matched by scenarios.',
      query: SearchCharges,
      list: 'Charges',
      item: ChargeResponse,
      search: searchCharges,
      present: presentCharge,
    }),
    RECONCILE_ROW,
    FINDINGS_ROW,
    LIVE_ROW,
  ],
};

/** Newest first. Skips the gaps that deleted entries leave. */
function searchVaultEntries({ vault }: World, { page }: { readonly page: Page }): SearchResult<VaultEntry> {
  const hasGaps = vault.size < vault.next;
  return pageByDate(allRecords(vault), hasGaps ? [() => true] : [], page, true);
}

function requireRecord<T extends TimedTable>(world: World, table: T, id: string): RecordTypes[T] {
  const found = world[table].find(id) as RecordTypes[T] | undefined;
  if (found !== undefined) return found;
  const detail = `This world has no ${KINDS[table].kind} ${JSON.stringify(shortenId(id))}. It may have been deleted.`;
  return refuse(CODE.ValidationError, detail, { httpStatus: 404 });
}

function presentDecision({ at, operation, trigger }: Decision): DecisionResponse {
  return {
    At: formatInstant(at),
    Operation: operation,
    Precedence: findPrecedenceStep(trigger),
    Trigger: trigger,
    Rule: findRuleName(trigger),
  };
}
