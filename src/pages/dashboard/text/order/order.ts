import {
  readField,
  type BriefCall,
  type RecordJson,
  readTextAt,
  type TimelineItem,
} from '../../state/wire.js';
import { type ChargeHistory, readStatus, type TimelineCall } from '../charge.js';
import { draftCall, draftRows, placeRows, type RowDraft, type WaterfallTable } from '../waterfall.js';

/** The money of an order in one currency, in major units. */
export interface OrderSum {
  readonly currency: string;
  readonly taken: number;
  readonly returned: number;
  readonly held: number;
}

const TAKEN: readonly string[] = ['SUCCESS', 'PARTIAL_REFUND', 'REFUND'];
/** Amounts have at most four decimals. Sums of whole units are exact. */
const UNITS = 10_000;

/** The sums that the charges of an order took, returned and hold, for each currency. */
export function sumOrder(charges: readonly RecordJson[]): OrderSum[] {
  const currencies = [...new Set(charges.map((charge) => readTextAt(charge, 'Currency')))];
  return currencies.map((currency) => {
    const own = charges.filter((charge) => readTextAt(charge, 'Currency') === currency);
    const sum = (name: string, statuses: readonly string[]): number =>
      own
        .filter((charge) => statuses.includes(readStatus(charge)))
        .reduce((total, charge) => total + Math.round(Number(readField(charge, name) ?? 0) * UNITS), 0) /
      UNITS;
    return {
      currency,
      taken: sum('Amount', TAKEN),
      returned: sum('RefundedAmount', TAKEN),
      held: sum('AuthorisationAmount', ['Authorised']),
    };
  });
}

/** Whether a call names an order: by its Reference, or by looking it up. */
export function isAboutOrder({ Reference, Query, Undone }: BriefCall, reference: string): boolean {
  const isSearch = [...new URLSearchParams(Query).values()].includes(reference);
  return !Undone && (Reference === reference || isSearch);
}

/** The searches of the journal that find each spelling of a Reference in a query. */
export function listLookups(reference: string): (readonly [name: 'Search', text: string])[] {
  const encoded = encodeURIComponent(reference);
  return [...new Set([encoded, encoded.replaceAll('%20', '+')])].map((text) => ['Search', `=${text}`]);
}

/** A call of the journal as an item of a timeline. */
export function toTimelineItem({ At, Method, Path, Status, DurationMs, EntryId }: BriefCall): TimelineItem {
  const Text = `${Method} ${Path}: ${Status === 0 ? 'no answer' : Status}`;
  return { At, What: 'call', Text, Status, DurationMs, EntryId, DeliveryId: null };
}

/** At one instant, what a call caused follows that call, and what no known call caused stays behind what was before it. */
function placeItems(timeline: readonly TimelineItem[]) {
  let place = 0;
  return timeline.map((item) => {
    place = item.EntryId ?? place;
    return { item, place };
  });
}

/** All that happened to the charges of an order, and its other calls, each once and the oldest first. */
export function mergeTimelines(
  timelines: readonly (readonly TimelineItem[])[],
  others: readonly TimelineItem[],
): TimelineItem[] {
  const known = new Set<string>();
  const items = [...timelines.flatMap(placeItems), ...placeItems(others)].filter(({ item }) => {
    if (item.What !== 'call') return true;
    const key = String(item.EntryId);
    return !known.has(key) && known.add(key);
  });
  return items
    .toSorted((a, b) => Date.parse(a.item.At) - Date.parse(b.item.At) || a.place - b.place)
    .map(({ item }) => item);
}

/** The charges of an order in one table, with the calls that no charge shows: those that were refused or only read. */
export function buildOrderWaterfall(
  charges: readonly ChargeHistory[],
  calls: readonly BriefCall[],
  now: number,
  isWhole = false,
): WaterfallTable {
  const drafts = charges.flatMap((charge) =>
    draftRows(charge, `Charge ${readTextAt(charge.record, 'ChargeId').slice(0, 8)}…`),
  );
  const known = new Set(drafts.map(({ key }) => key));
  const others = calls.filter(({ EntryId }) => !known.has(`call-${EntryId}`) && known.add(`call-${EntryId}`));
  const rows = [
    ...drafts,
    ...others.map((call) => draftCall(toTimelineItem(call) as TimelineCall, [], call.Result)),
  ];
  const startOf = ({ items }: RowDraft): number => Math.min(...items.map(([{ At }]) => Date.parse(At)));
  return placeRows(
    rows.toSorted((a, b) => startOf(a) - startOf(b)),
    now,
    isWhole,
  );
}
