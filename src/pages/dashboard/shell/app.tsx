import { useState } from 'preact/hooks';

import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import { Title, LoadingOrError } from '../ui/panel.js';
import { DoubleChargeLine, FindingsBadge } from '../views/findings.js';
import { ClockButton, ClockDialog } from './clock.js';
import { WaitingCalls } from './held.js';
import { closeRow, KeysDialog } from './keys.js';
import { Nav } from './nav.js';
import { Palette } from './palette.js';
import { Ribbon } from './ribbon.js';
import { SHOWN_VIEWS } from './views.js';
import { WorldButton, WorldDialog } from './worlds.js';

/** The whole page. Each part renders again by itself when what it shows changes. */
export function App() {
  const [isMenuOpen, openMenu] = useState(false);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToContent}>
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={viewHref('overview')}>
          playmoney
        </a>
        <button
          type="button"
          class="menu"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          aria-controls="views"
          onClick={() => openMenu(!isMenuOpen)}
        >
          ☰
        </button>
        <WorldButton />
        <button type="button" class="find" onClick={() => (store.dialog.value = 'palette')}>
          <span>Find or do…</span> <kbd>Ctrl K</kbd>
        </button>
        <FindingsBadge />
        <ClockButton />
      </header>
      <Ribbon />
      <DoubleChargeLine />
      <WaitingCalls />
      <PageBody isMenuOpen={isMenuOpen} closeMenu={() => openMenu(false)} />
      <Notices />
      <Dialogs />
    </>
  );
}

/** Moves the focus without a link, because the fragment of the address selects the view. */
function skipToContent(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function PageBody({ isMenuOpen, closeMenu }: { isMenuOpen: boolean; closeMenu: () => void }) {
  const { view, id, query } = store.route.value;
  const open = id === null ? query.get('open') : null;
  const close = (): void => closeRow(open);
  const beside = open && store.isOpen.value ? (SHOWN_VIEWS[view]?.beside?.(open, close) ?? null) : null;
  return (
    <div class={beside === null ? 'body' : 'body with'}>
      <main id="main" class="stack" tabIndex={-1} key={`${store.keyring.name ?? ''}/${view}/${id ?? ''}`}>
        {store.isOpen.value ? (
          <ShownView view={view} id={id} />
        ) : (
          <LoadingOrError error={store.connection.value === 'open' ? null : store.trouble.value} />
        )}
      </main>
      {beside}
      <Nav isOpen={isMenuOpen} close={closeMenu} />
    </div>
  );
}

function ShownView({ view, id }: { view: string; id: string | null }) {
  const shown = SHOWN_VIEWS[view];
  if (shown === undefined) return <Title text="View not found" />;
  return <>{id === null ? shown.show() : shown.one?.(id)}</>;
}

function Dialogs() {
  const { value } = store.dialog;
  if (value === 'worlds') return <WorldDialog />;
  if (value === 'clock') return <ClockDialog />;
  if (value === 'palette') return <Palette />;
  return value === 'keys' ? <KeysDialog /> : null;
}

function Notices() {
  const { connection, trouble, notice } = store;
  const { value: shown } = notice;
  return (
    <div class="notices stack">
      {trouble.value !== null && connection.value === 'lost' ? (
        <p class="notice row bad" role="alert">
          {trouble.value}
        </p>
      ) : null}
      <div role="status">
        {shown === null ? null : (
          <p class={shown.isBad ? 'notice row bad' : 'notice row'}>
            <span>
              {shown.text}
              {(shown.links ?? []).map(({ text, href }, n) => (
                <>
                  {n === 0 ? ': ' : ', '}
                  <a href={href}>{text}</a>
                </>
              ))}
              {shown.more?.lasting ? `${shown.links?.length ? '.' : ''} ${shown.more.lasting}` : null}
            </span>
            {shown.more === undefined ? null : (
              <button type="button" class="plain" onClick={shown.more.run}>
                {shown.more.label}
              </button>
            )}
            <button type="button" class="plain" aria-label="Dismiss" onClick={() => (notice.value = null)}>
              ✕
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
