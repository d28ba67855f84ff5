import type { Column, Kind } from './columns.js';
import { firstCall } from './curl.js';
import { KINDS } from './kinds.js';
import { Code, Empty, Options, Pager, textsOf, Title, useStore, Waiting } from './parts.js';
import { hrefOf } from './route.js';
import { type Members, type RecordPage, textOf } from './wire.js';

const PAGE = 25;

export function kindOf(view: string): Kind | undefined {
  return KINDS.find((kind) => kind.view === view);
}

/** The records of a kind, newest first, a page at a time. */
export function RecordsView({ kind }: { kind: Kind }) {
  const { cache, route } = useStore();
  const query = new URLSearchParams(route.query);
  query.set('Limit', String(PAGE));
  const { data, error } = cache.read<RecordPage>(`/records/${kind.view}?${query}`);
  return (
    <>
      <Title text={kind.name}>{kind.filters.length === 0 ? null : <Filters kind={kind} />}</Title>
      <Scope />
      {data === null ? <Waiting error={error} /> : <Page kind={kind} page={data} />}
    </>
  );
}

/** Another record that the list is about, such as the customer whose charges it shows. */
function Scope() {
  const { route } = useStore();
  const owner = KINDS.find(({ idName }) => route.query.has(idName));
  if (owner === undefined) return null;
  const id = route.query.get(owner.idName) ?? '';
  return (
    <p>
      Of the {owner.one} <a href={hrefOf(owner.view, id)}>{id}</a> alone.{' '}
      <a href={hrefOf(route.view)}>Show all</a>
    </p>
  );
}

function Filters({ kind }: { kind: Kind }) {
  const { route } = useStore();
  const apply = (event: Event): void => {
    location.hash = hrefOf(kind.view, null, textsOf(event).texts);
  };
  return (
    <form class="tools" onSubmit={apply}>
      {kind.filters.map(({ name, label, options }) =>
        options === undefined ? (
          <input
            key={name}
            name={name}
            type="search"
            aria-label={label}
            placeholder={label}
            value={route.query.get(name) ?? ''}
          />
        ) : (
          <select key={name} name={name} aria-label={label} value={route.query.get(name) ?? ''}>
            <option value="">{label}: any</option>
            <Options of={options} />
          </select>
        ),
      )}
      <button type="submit">Find</button>
    </form>
  );
}

function Page({ kind, page }: { kind: Kind; page: RecordPage }) {
  const { route } = useStore();
  if (page.Count === 0) return <Nothing kind={kind} />;
  return (
    <>
      <div class="scroll" tabindex={0} role="region" aria-label={kind.name}>
        <table class="records" role="table">
          <thead role="rowgroup">
            <tr role="row">
              {kind.columns.map(({ name, isNumber }) => (
                <th key={name} role="columnheader" scope="col" class={isNumber ? 'number' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {page.Records.map((record) => (
              <Row key={textOf(record, kind.idName)} kind={kind} record={record} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager
        page={page}
        hrefAt={(skip) => hrefOf(kind.view, null, { ...Object.fromEntries(route.query), Skip: String(skip) })}
      />
    </>
  );
}

function Row({ kind, record }: { kind: Kind; record: Members }) {
  const id = textOf(record, kind.idName);
  return (
    <tr role="row">
      {kind.columns.map((column) => (
        <Cell key={column.name} column={column} record={record} href={hrefOf(kind.view, id)} />
      ))}
    </tr>
  );
}

function Cell({ column, record, href }: { column: Column; record: Members; href: string }) {
  const { name, show, isNumber, isShortened, isLink, needsName } = column;
  const shown = show(record);
  return (
    <td
      role="cell"
      class={isNumber ? 'number' : isShortened ? 'shortened' : ''}
      title={typeof shown === 'string' && isShortened ? shown : undefined}
      data-name={needsName ? `${name} ` : ''}
    >
      {isLink ? <a href={href}>{shown}</a> : shown}
    </td>
  );
}

function Nothing({ kind }: { kind: Kind }) {
  const { route, keyring } = useStore();
  if ([...route.query].some(([name]) => name !== 'Skip')) {
    return (
      <Empty title={`No ${kind.one} fits.`}>
        <p>
          <a href={hrefOf(kind.view)}>Show all</a>
        </p>
      </Empty>
    );
  }
  const { path, body } = kind.first;
  return (
    <Empty title={`No ${kind.one} yet.`}>
      <p>{kind.hint}</p>
      <Code text={firstCall(keyring.key, path, body)} of={`a first ${kind.one}`} />
    </Empty>
  );
}
