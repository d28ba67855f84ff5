import { explainFailure, fetchControl } from '../state/api.js';
import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { DeliveriesResponse, Delivery, ReceiverResponse } from '../state/wire.js';
import { formatDateTime, formatQuantity } from '../text/format.js';
import { describeResent } from '../text/webhooks.js';
import { Button } from '../ui/button.js';
import { type Column, DataTable } from '../ui/table.js';

/** The part of an address that all receivers of one machine share. */
const LOCAL = /^https?:\/\/(?:127\.0\.0\.1|localhost)/;

export const shortenAddress = (url: string): string => url.replace(LOCAL, '');

const RECEIVER_COLUMNS: readonly Column<ReceiverResponse>[] = [
  {
    name: 'Receiver',
    isWrapped: true,
    show: ({ Url }) => <a href={viewHref('webhooks', null, { Url })}>{shortenAddress(Url)}</a>,
  },
  { name: 'Webhooks', isNumber: true, show: ({ Deliveries }) => Deliveries.toLocaleString('en-GB') },
  {
    name: 'Failing',
    isNumber: true,
    show: ({ Url, Failing }) =>
      Failing === 0 ? '0' : <a href={viewHref('webhooks', null, { Url, Status: 'failing' })}>{Failing}</a>,
  },
  {
    name: 'Failed attempts',
    isNumber: true,
    show: ({ Attempts, FailedAttempts, FailedPercent }) => (
      <span class={FailedAttempts > 0 ? 'bad' : undefined}>
        {FailedAttempts} of {Attempts}, {FailedPercent} %
      </span>
    ),
  },
  { name: 'Slowest', isNumber: true, show: ({ SlowestMs }) => (SlowestMs === null ? '' : `${SlowestMs} ms`) },
  {
    name: 'Last error',
    isWrapped: true,
    show: ({ LastError, LastErrorAt }) =>
      LastError === null ? 'none' : `${LastError} at ${formatDateTime(LastErrorAt ?? '')}`,
  },
  {
    name: 'Do',
    show: ({ Url, Failing }) =>
      Failing === 0 ? null : (
        <Button
          label={`Resend all failing to ${shortenAddress(Url)}`}
          run={() => startResending(Failing, Url)}
        >
          Resend all failing
        </Button>
      ),
  },
];

/** How many receivers are listed. The worst are the first. */
const RECEIVERS_SHOWN_MAX = 5;

/** The addresses that webhooks go to, whatever the filter of the list. */
export function ReceiverTable({ receivers }: { receivers: readonly ReceiverResponse[] }) {
  const wanted = store.route.value.query.get('Url');
  const shown = receivers.filter(({ Url }) => wanted === null || Url === wanted);
  const rows = (shown.length === 0 ? receivers : shown).slice(0, RECEIVERS_SHOWN_MAX);
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable label="Receivers" columns={RECEIVER_COLUMNS} rows={rows} keyOf={({ Url }) => Url} />
      {shown.length > rows.length ? (
        <p class="soft">{formatQuantity(shown.length - rows.length, 'other receiver')} did better.</p>
      ) : null}
    </>
  );
}

/** How many failing webhooks are sent again at once, and how many of the newest are read to find them and to see which arrived. */
const RESEND_MAX = 100;
const SEEN_MAX = '500';

/** For all receivers, if several fail: each of them has a button of its own. */
export function ResendAll({ receivers }: { receivers: readonly ReceiverResponse[] }) {
  if (receivers.filter(({ Failing }) => Failing > 0).length < 2) return null;
  const failing = receivers.reduce((sum, { Failing }) => sum + Failing, 0);
  return <Button run={() => startResending(failing)}>Resend all failing</Button>;
}

/** Sends again what has not arrived at one receiver or at all of them, and says what has become of it once they have answered. */
function startResending(failing: number, receiver?: string): void {
  void resendFailing(failing, receiver).catch((error: unknown) => store.notify(explainFailure(error), true));
}

async function resendFailing(failing: number, receiver?: string): Promise<void> {
  const read = async (query: Readonly<Record<string, string>>): Promise<readonly Delivery[]> => {
    const to = receiver === undefined ? {} : { Url: receiver };
    const path = `/webhooks?${new URLSearchParams({ ...to, ...query, Limit: SEEN_MAX })}`;
    const { Deliveries } = (await fetchControl(store.access, 'GET', path)) as DeliveriesResponse;
    // The filter is a pattern, and an address may have a `*`.
    return Deliveries.filter(({ Url }) => receiver === undefined || Url === receiver);
  };
  const ids = new Set<string>();
  for (const { DeliveryId } of (await read({ Status: 'failing' })).slice(0, RESEND_MAX)) {
    const path = `/webhooks/${DeliveryId}/resend`;
    const sent = await store.callAndNotify<Delivery>('POST', path, {}, null);
    if (sent === null) return;
    ids.add(sent.DeliveryId);
  }
  if ((await store.callAndNotify('POST', '/settle', {}, null)) === null) return;
  const newest = await read({});
  const sentAgain = newest.filter(({ DeliveryId }) => ids.has(DeliveryId));
  store.notify(describeResent(sentAgain, Math.max(0, failing - ids.size)));
}
