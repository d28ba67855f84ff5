import { store } from '../state/store.js';
import type { TriggersResponse } from '../state/wire.js';
import { grouped } from '../text/format.js';
import { Search } from '../ui/fields.js';
import { Copy, Empty, Title, WhenLoaded } from '../ui/parts.js';
import { type Column, Table } from '../ui/table.js';
import { filterBy } from './rows.js';

interface TriggerRow {
  readonly copied: string;
  readonly shown: string;
  readonly kind: string;
  readonly effect: string;
  readonly token?: string;
}

const COLUMNS: readonly Column<TriggerRow>[] = [
  { name: 'Value', show: ({ shown }) => <code>{shown}</code> },
  { name: 'Kind', show: ({ kind }) => <span class="soft">{kind}</span> },
  { name: 'Effect', isWrapped: true, show: ({ effect }) => effect },
  { name: 'Copy', isNumber: true, show: (row) => <Copies row={row} /> },
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
        of={store.cache.read<TriggersResponse>('/triggers', 'fixed')}
        show={(triggers) => <Tables triggers={triggers} wanted={wanted.toLowerCase()} />}
      />
    </>
  );
}

function Tables({ triggers, wanted }: { triggers: TriggersResponse; wanted: string }) {
  const tables = tablesOf(triggers)
    .map(({ title, rows }) => ({ title, rows: rows.filter((row) => fits(row, wanted)) }))
    .filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return <Empty title="Nothing matches the filter." />;
  return (
    <>
      {tables.map(({ title, rows }) => (
        <section key={title} class="stack">
          <h2>{title}</h2>
          <Table label={title} columns={COLUMNS} rows={rows} keyOf={({ copied }) => copied} />
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

function tablesOf({ Cards, Accounts, PayIds, Tokens, Providers, Outcomes }: TriggersResponse) {
  const cards = Cards.map(({ CardNumber, Scheme, Effect }) =>
    rowOf(CardNumber, Scheme, Effect, grouped(CardNumber)),
  );
  const tokens = Tokens.map(({ Token, Effect }) => rowOf(Token, '', Effect));
  const providers = Providers.map(({ ProviderId, Name, Behaviour }) =>
    rowOf(ProviderId, Name ?? '', Behaviour),
  );
  const accounts = [
    ...Accounts.map(({ AccountNumber, Effect }) => rowOf(AccountNumber, 'account', Effect)),
    ...PayIds.map(({ PayId, Effect }) => rowOf(PayId, 'PayId', Effect)),
  ];
  const outcomes = Outcomes.map(({ Outcome, Code, GatewayMessage, IsRetryable }) => {
    const code = Code === null ? '' : `code ${Code}`;
    const retry = IsRetryable ? 'retryable' : '';
    const effect = [GatewayMessage, retry].filter(Boolean).join(', ');
    return { ...rowOf(Outcome, code, effect), token: `tok_${Outcome}` };
  });
  return [
    { title: 'Cards', rows: cards },
    { title: 'Tokens', rows: tokens },
    { title: 'Providers', rows: providers },
    { title: 'Bank accounts and PayIds', rows: accounts },
    { title: 'Outcomes', rows: outcomes },
  ];
}

function rowOf(copied: string, kind: string, effect: string, shown = copied): TriggerRow {
  return { copied, kind, effect, shown };
}

function fits({ copied, shown, kind, effect, token = '' }: TriggerRow, wanted: string): boolean {
  return [copied, shown, kind, effect, token].join(' ').toLowerCase().includes(wanted);
}

function Copies({ row: { copied, token } }: { row: TriggerRow }) {
  return (
    <>
      {token === undefined ? null : <Copy text={token} label="Token" of={token} />}{' '}
      {copied.includes('<') ? null : <Copy text={copied} of={copied} />}
    </>
  );
}
