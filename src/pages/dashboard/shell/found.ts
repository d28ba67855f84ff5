import { sandboxHome } from '../../home.js';
import { callHref, FIRST_VIEW, viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type {
  CallPage,
  DeliveriesResponse,
  FacetsResponse,
  PlayedWholeResponse,
  RecordJson,
  RecordPage,
  TriggersResponse,
  WorldsResponse,
} from '../state/wire.js';
import { readTextAt } from '../state/wire.js';
import { containsWords, findReferences, matchesRecord } from '../text/find.js';
import { abbreviateId, formatMoneyValue, groupDigits } from '../text/format.js';
import { KINDS } from '../views/records/kinds.js';
import { NAV_ENTRIES, PAGES } from './nav.js';

/** Something that the palette found: where it leads, or what it does. */
export type FoundItem = readonly [text: string, go: string | (() => void)];

/** The results of one kind. */
export interface FoundGroup {
  readonly name: string;
  readonly count: number;
  readonly items: readonly FoundItem[];
}

/** How many of each kind are shown, and how many of the newest records of each kind are searched. */
const SHOWN_MAX = 4;
const SEARCHED_MAX = 500;

const takeFirst = (name: string, items: readonly FoundItem[], count = items.length): FoundGroup => ({
  name,
  count,
  items: items.slice(0, SHOWN_MAX),
});

export function takeNamed(
  name: string,
  typed: string,
  items: readonly FoundItem[],
  most = SHOWN_MAX,
): FoundGroup {
  const found = items.filter(([text]) => containsWords(`${name} ${text}`, typed));
  return { name, count: found.length, items: found.slice(0, most) };
}

const toOrder = (reference: string): FoundItem => [reference, viewHref('orders', reference)];

/** Everything that contains what was typed, by kind. Only finds: nothing here changes the world. */
export function findEverything(typed: string): FoundGroup[] {
  const wanted = typed.trim();
  const search = new URLSearchParams({ Search: wanted, Limit: String(SHOWN_MAX) });
  const { Entries = [], Count: calls } =
    store.cache.read<CallPage>(`/journal?${search}&Brief=true`).data ?? {};
  const { Deliveries = [], Count: hooks } =
    store.cache.read<DeliveriesResponse>(`/webhooks?${search}`).data ?? {};
  const records = KINDS.map((kind) => {
    const { data } = store.cache.read<RecordPage>(`/records/${kind.view}?Limit=${SEARCHED_MAX}`);
    return { kind, found: (data?.Records ?? []).filter((record) => matchesRecord(record, wanted)) };
  });
  const orders = findReferences(records[0]?.found ?? [], Entries, wanted);
  return [
    ...findPlaces(wanted),
    takeFirst('Orders', orders.map(toOrder)),
    ...records.map(({ kind: { name, view, idName }, found }) =>
      takeFirst(
        name,
        found.map((record) => [describeRecord(record, idName), viewHref(view, readTextAt(record, idName))]),
      ),
    ),
    takeFirst(
      'Calls',
      Entries.map(({ EntryId, Method, Path, Status, Reference }) => [
        `${Method} ${Path} ${Reference ?? ''} ${Status || 'no answer'}`,
        callHref(EntryId),
      ]),
      calls,
    ),
    takeFirst(
      'Webhooks',
      Deliveries.map(({ DeliveryId, EventType, Url, Status }) => [
        `${EventType} to ${Url} ${Status}`,
        viewHref('webhooks', null, { open: DeliveryId }),
      ]),
      hooks,
    ),
    ...findWords(wanted),
  ].filter(({ count }) => count > 0);
}

const NAMES = ['Reference', 'Description', 'Title', 'Email', 'Cardholder'];

function describeRecord(record: RecordJson, idName: string): string {
  const parts = [
    abbreviateId(readTextAt(record, idName)),
    NAMES.map((field) => readTextAt(record, field)).find(Boolean),
    formatMoneyValue(record['Amount'], record['Currency']),
    readTextAt(record, 'Status'),
  ];
  return parts.filter(Boolean).join(' ');
}

function findPlaces(typed: string): FoundGroup[] {
  const worlds = store.cache.read<WorldsResponse>('/worlds').data?.Worlds ?? [];
  const views = NAV_ENTRIES.filter(({ view }) => view !== 'orders');
  return [
    takeNamed('Go to', typed, [
      ...views.map(({ view, name }) => [name, viewHref(view)] as const),
      ...PAGES.map(([path, name]) => [name, path] as const),
    ]),
    takeNamed(
      'Worlds',
      typed,
      worlds.map(({ World, Name }) => [`${World} ${Name ?? ''}`, viewHref(FIRST_VIEW, null, {}, World)]),
    ),
  ];
}

/** The operations, rules, codes and cards whose names contain what was typed. */
function findWords(typed: string): FoundGroup[] {
  const { cache } = store;
  const { Outcomes = [], Cards = [] } = cache.read<TriggersResponse>('/triggers', 'fixed').data ?? {};
  const { Operations = [] } = cache.read<FacetsResponse>('/journal/facets?Periods=1').data ?? {};
  const { Rules = [] } = cache.read<PlayedWholeResponse>('/scenario').data ?? {};
  return [
    takeNamed(
      'Operations',
      typed,
      Operations.map(({ Name, Count }) => [
        `${Name} (${Count})`,
        viewHref('calls', null, { Operation: Name }),
      ]),
    ),
    takeNamed(
      'Rules',
      typed,
      Rules.map(({ Rule, Matched }) => [`${Rule} (${Matched})`, viewHref('scenario')]),
    ),
    takeNamed(
      'Error codes',
      typed,
      Outcomes.filter(({ Code }) => Code !== null).map(({ Outcome, Code, GatewayCode }) => [
        [Code, Outcome, GatewayCode].filter(Boolean).join(' '),
        `${sandboxHome()}/_sandbox/errors#${Code}`,
      ]),
    ),
    takeNamed(
      'Copy card',
      typed,
      Cards.map(({ CardNumber, Effect }) => [
        `${groupDigits(CardNumber)} ${Effect} ${CardNumber}`,
        () => copyText(CardNumber),
      ]),
    ),
  ];
}

function copyText(text: string): void {
  void navigator.clipboard.writeText(text).then(
    () => store.notify(`Copied ${text}.`),
    () => store.notify('The browser does not allow copying.', true),
  );
}

/** The items that were chosen last, the newest first. */
let chosen: readonly FoundItem[] = [];

export function rememberItem(item: FoundItem): void {
  chosen = [item, ...chosen.filter(([text]) => text !== item[0])].slice(0, SHOWN_MAX);
}

/** Shown before anything is typed. */
export function listRecentItems(): FoundGroup[] {
  const orders = findReferences([], store.feed.value, '');
  return [takeFirst('Chosen before', chosen), takeFirst('Recent orders', orders.map(toOrder))].filter(
    ({ count }) => count > 0,
  );
}
