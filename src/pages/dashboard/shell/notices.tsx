import { store } from '../state/store.js';

export function Notices() {
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
            <span>{shown.text}</span>
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
