import { store } from '../state/store.js';
import type { TriggersResponse } from '../state/wire.js';
import { groupDigits } from '../text/format.js';
import { Search } from '../ui/fields.js';
import { CopyButton } from '../ui/copy.js';
import { EmptyPanel, Title, WhenLoaded } from '../ui/panel.js';
import { type Column, DataTable } from '../ui/table.js';
import { filterBy } from './rows.js';

interface TriggerRow {
  readonly copied: string;
  readonly shown: string;
  readonly kind: string;
  readonly effect: string;
  readonly token?: string;
}

const COLUMNS: readonly Column<TriggerRow>[] = [
  { name: 'Value', show: (row) => <CopyableValue row={row} /> },
  { name: 'Kind', show: ({ kind }) => <span class="soft">{kind}</span> },
  { name: 'Effect', isWrapped: true, show: ({ effect }) => effect },
];

/** Groups of cards by what decides in their effect; the first that fits. */
const CARD_GROUPS: readonly (readonly [title: string, effect: RegExp])[] = [
  ['Cards that are approved', /^approve$/],
  ['Cards with 3-D Secure', /3-D Secure|require_3ds/],
  ['Cards that are declined', /^\w+ on charge/],
  ['Cards that fail otherwise', /./],
];

export function CardsView() {
  const wanted = store.route.value.query.get('Search') ?? '';
  return (
    <>
      <Title text="Test cards" />
      <Search label="Filter by number or effect" value={wanted} found={(text) => filterBy('Search', text)} />
      <p class="soft">
        Use any future expiry date and any Ccv. Any other number that passes the Luhn check is approved.
      </p>
      <WhenLoaded
        loaded={store.cache.read<TriggersResponse>('/triggers', 'fixed')}
        show={(triggers) => <TriggerTables triggers={triggers} wanted={wanted.toLowerCase()} />}
      />
    </>
  );
}

function TriggerTables({ triggers, wanted }: { triggers: TriggersResponse; wanted: string }) {
  const tables = buildTriggerTables(triggers)
    .map(({ title, rows }) => ({ title, rows: rows.filter((row) => matchesFilter(row, wanted)) }))
    .filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return <EmptyPanel title="Nothing matches the filter." />;
  return (
    <>
      {tables.map(({ title, rows }) => (
        <section key={title} class="stack">
          <h2>{title}</h2>
          <DataTable label={title} columns={COLUMNS} rows={rows} keyOf={({ copied }) => copied} />
        </section>
      ))}
      <section class="stack">
        <h2>What decides an outcome, highest priority first</h2>
        <ol class="numbered">
          {triggers.Precedence.map((level) => (
            <li key={level}>{level}</li>
          ))}
        </ol>
      </section>
    </>
  );
}

function buildTriggerTables({ Cards, Accounts, PayIds, Tokens, Providers, Outcomes }: TriggersResponse) {
  const cards = Cards.map(({ CardNumber, Scheme, Effect }) =>
    triggerRow(CardNumber, Scheme, Effect, groupDigits(CardNumber)),
  );
  const findGroup = ({ effect }: TriggerRow) => CARD_GROUPS.find(([, fits]) => fits.test(effect))?.[0];
  const tokens = Tokens.map(({ Token, Effect }) => triggerRow(Token, '', Effect));
  const providers = Providers.map(({ ProviderId, Name, Behaviour }) =>
    triggerRow(ProviderId, Name ?? '', Behaviour),
  );
  const accounts = [
    ...Accounts.map(({ AccountNumber, Effect }) => triggerRow(AccountNumber, 'account', Effect)),
    ...PayIds.map(({ PayId, Effect }) => triggerRow(PayId, 'PayId', Effect)),
  ];
  const outcomes = Outcomes.map(({ Outcome, Code, GatewayMessage, IsRetryable }) => {
    const code = Code === null ? '' : `code ${Code}`;
    const retry = IsRetryable ? 'retryable' : '';
    const effect = [GatewayMessage, retry].filter(Boolean).join(', ');
    return { ...triggerRow(Outcome, code, effect), token: `tok_${Outcome}` };
  });
  return [
    ...CARD_GROUPS.map(([title]) => ({ title, rows: cards.filter((row) => findGroup(row) === title) })),
    { title: 'Tokens', rows: tokens },
    { title: 'Providers', rows: providers },
    { title: 'Bank accounts and PayIds', rows: accounts },
    { title: 'Outcomes', rows: outcomes },
  ];
}

function triggerRow(copied: string, kind: string, effect: string, shown = copied): TriggerRow {
  return { copied, kind, effect, shown };
}

function matchesFilter({ copied, shown, kind, effect, token = '' }: TriggerRow, wanted: string): boolean {
  return [copied, shown, kind, effect, token].join(' ').toLowerCase().includes(wanted);
}

/** A click copies it. A pattern such as tok_<outcome> cannot be used as it is. */
function CopyableValue({ row: { copied, shown, token } }: { row: TriggerRow }) {
  return (
    <>
      {copied.includes('<') ? (
        <code>{shown}</code>
      ) : (
        <CopyButton text={copied} label={shown} kind="plain value" />
      )}
      {token === undefined ? null : <CopyButton text={token} label={token} kind="plain value" />}
    </>
  );
}
