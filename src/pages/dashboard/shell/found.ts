import { sandboxHome } from '../../home.js';
import { callHref, FIRST_VIEW, viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type {
  CallPage,
  DeliveriesResponse,
  FacetsResponse,
  PlayedWholeResponse,
  RecordPage,
  TriggersResponse,
  WorldsResponse,
} from '../state/wire.js';
import { readTextAt } from '../state/wire.js';
import { containsWords, findReferences, matchesRecord } from '../text/find.js';
import { abbreviateId, formatMoneyValue, groupDigits } from '../text/format.js';
import { KINDS } from '../views/records/kinds.js';
import { NAV_ENTRIES, PAGES } from './nav.js';

/** Something that the palette found: a place, or a thing to do. */
export interface FoundItem {
  readonly text: string;
  readonly run: () => void;
}

/** What was found of one kind. */
export interface FoundGroup {
  readonly name: string;
  readonly count: number;
  readonly items: readonly FoundItem[];
}

/** How many of each kind are shown, and how many of the newest records of each kind are searched. */
const SHOWN_MAX = 4;
const SEARCHED_MAX = 500;

export const linkItem = (text: string, href: string): FoundItem => ({
  text,
  run: () => void (location.hash = href),
});

const group = (name: string, items: readonly FoundItem[], count = items.length): FoundGroup => ({
  name,
  count,
  items: items.slice(0, SHOWN_MAX),
});

/** Everything that contains what was typed, by kind. Only finds: nothing here changes the world. */
export function findEverything(typed: string): FoundGroup[] {
  const wanted = typed.trim();
  const search = new URLSearchParams({ Search: wanted, Limit: String(SHOWN_MAX), Brief: 'true' });
  const calls = store.cache.read<CallPage>(`/journal?${search}`).data;
  search.delete('Brief');
  const hooks = store.cache.read<DeliveriesResponse>(`/webhooks?${search}`).data;
  const records = KINDS.map((kind) => {
    const path = `/records/${kind.view}?Limit=${SEARCHED_MAX}`;
    const all = store.cache.read<RecordPage>(path).data?.Records ?? [];
    return { kind, found: all.filter((record) => matchesRecord(record, wanted)) };
  });
  const charges = records.find(({ kind }) => kind.view === 'charges')?.found ?? [];
  const orders = findReferences(charges, calls?.Entries ?? [], wanted);
  const [places, ...words] = findWords(wanted);
  return [
    ...(places === undefined ? [] : [places]),
    group(
      'Orders',
      orders.map((reference) => linkItem(reference, viewHref('orders', reference))),
    ),
    ...records.map(({ kind: { name, view, idName }, found }) =>
      group(
        name,
        found.map((record) =>
          linkItem(describeRecord(record, idName), viewHref(view, readTextAt(record, idName))),
        ),
      ),
    ),
    group(
      'Calls',
      (calls?.Entries ?? []).map(({ EntryId, Method, Path, Status, Reference }) =>
        linkItem(`${Method} ${Path} ${Reference ?? ''} ${Status || 'no answer'}`, callHref(EntryId)),
      ),
      calls?.Count,
    ),
    group(
      'Webhooks',
      (hooks?.Deliveries ?? []).map(({ DeliveryId, EventType, Url, Status }) =>
        linkItem(`${EventType} to ${Url} ${Status}`, viewHref('webhooks', null, { open: DeliveryId })),
      ),
      hooks?.Count,
    ),
    ...words,
  ].filter(({ count }) => count > 0);
}

function describeRecord(record: Readonly<Record<string, unknown>>, idName: string): string {
  const name = ['Reference', 'Description', 'Title', 'Email', 'Cardholder'].map((field) =>
    readTextAt(record, field),
  );
  const parts = [
    abbreviateId(readTextAt(record, idName)),
    name.find(Boolean),
    formatMoneyValue(record['Amount'], record['Currency']),
    readTextAt(record, 'Status'),
  ];
  return parts.filter(Boolean).join(' ');
}

/** The views, operations, rules, codes, cards and worlds whose names contain what was typed. */
function findWords(typed: string): FoundGroup[] {
  const { cache } = store;
  const triggers = cache.read<TriggersResponse>('/triggers', 'fixed').data;
  const facets = cache.read<FacetsResponse>('/journal/facets?Periods=1').data;
  const rules = cache.read<PlayedWholeResponse>('/scenario').data?.Rules ?? [];
  const worlds = cache.read<WorldsResponse>('/worlds').data?.Worlds ?? [];
  const named = (name: string, items: readonly FoundItem[]): FoundGroup =>
    group(
      name,
      items.filter(({ text }) => containsWords(`${name} ${text}`, typed)),
    );
  return [
    named('Go to', [
      ...NAV_ENTRIES.filter(({ view }) => view !== 'orders').map(({ view, name }) =>
        linkItem(name, viewHref(view)),
      ),
      ...PAGES.map(([path, text]) => ({ text, run: () => location.assign(path) })),
    ]),
    named(
      'Operations',
      (facets?.Operations ?? []).map(({ Name, Count }) =>
        linkItem(`${Name} (${Count})`, viewHref('calls', null, { Operation: Name })),
      ),
    ),
    named(
      'Rules',
      rules.map(({ Rule, Matched }) => linkItem(`${Rule} (${Matched})`, viewHref('scenario'))),
    ),
    named(
      'Error codes',
      (triggers?.Outcomes ?? []).flatMap(({ Outcome, Code, GatewayCode }) =>
        Code === null
          ? []
          : [
              {
                text: [Code, Outcome, GatewayCode].filter(Boolean).join(' '),
                run: () => location.assign(`${sandboxHome()}/_sandbox/errors#${Code}`),
              },
            ],
      ),
    ),
    named(
      'Copy card',
      (triggers?.Cards ?? []).map(({ CardNumber, Effect }) => ({
        text: `${groupDigits(CardNumber)} ${Effect} ${CardNumber}`,
        run: () => copyText(CardNumber),
      })),
    ),
    named(
      'Worlds',
      worlds.map(({ World, Name }) =>
        linkItem(`${World} ${Name ?? ''}`.trim(), viewHref(FIRST_VIEW, null, {}, World)),
      ),
    ),
  ];
}

function copyText(text: string): void {
  void navigator.clipboard.writeText(text).then(
    () => store.notify(`Copied ${text}.`),
    () => store.notify('The browser does not allow copying.', true),
  );
}

/** What was chosen last, the newest first, and the orders of the newest calls. */
const chosen: FoundItem[] = [];
const CHOSEN_MAX = 5;

export function rememberItem(item: FoundItem): void {
  const others = chosen.filter(({ text }) => text !== item.text);
  chosen.splice(0, chosen.length, item, ...others.slice(0, CHOSEN_MAX - 1));
}

export function listRecentItems(): FoundGroup[] {
  const orders = findReferences([], store.feed.value, '');
  return [
    { name: 'Chosen before', count: chosen.length, items: chosen },
    group(
      'Recent orders',
      orders.map((reference) => linkItem(reference, viewHref('orders', reference))),
    ),
  ].filter(({ count }) => count > 0);
}
