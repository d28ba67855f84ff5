import type { ComponentChildren } from 'preact';

import { CallInspector } from '../views/call.js';
import { CallsView } from '../views/calls.js';
import { DeliveryInspector } from '../views/delivery.js';
import { DueView } from '../views/due.js';
import { OverviewView } from '../views/overview.js';
import { KINDS } from '../views/records/kinds.js';
import { RecordsView } from '../views/records/records.js';
import { WebhooksView } from '../views/webhooks.js';
import { LaterView } from './later.js';

interface ViewParts {
  readonly show: () => ComponentChildren;
  /** The page of one record. */
  readonly one?: (id: string) => ComponentChildren;
  /** The inspector of the open row, beside the list. */
  readonly beside?: (open: string, close: () => void) => ComponentChildren;
}

const showRecords = (kind: (typeof KINDS)[number]): ViewParts => ({
  show: () => <RecordsView kind={kind} />,
  one: (id) => (
    <LaterView
      show={({ ChargeView, RecordView }) =>
        kind.view === 'charges' ? <ChargeView id={id} /> : <RecordView kind={kind} id={id} />
      }
    />
  ),
});

const RECORD_VIEWS = Object.fromEntries(KINDS.map((kind) => [kind.view, showRecords(kind)]));

/** What the page shows for each view of its address. */
export const SHOWN_VIEWS: Readonly<Record<string, ViewParts>> = {
  ...RECORD_VIEWS,
  overview: { show: () => <OverviewView /> },
  calls: {
    show: () => <CallsView />,
    beside: (open, close) => <CallInspector entry={open} close={close} />,
  },
  webhooks: {
    show: () => <WebhooksView />,
    beside: (open, close) => <DeliveryInspector id={open} close={close} />,
  },
  due: { show: () => <DueView /> },
  orders: {
    show: () => RECORD_VIEWS['charges']?.show(),
    one: (id) => <LaterView show={({ OrderView }) => <OrderView reference={id} />} />,
  },
  next: { show: () => <LaterView show={({ NextView }) => <NextView />} /> },
  scenario: { show: () => <LaterView show={({ ScenarioView }) => <ScenarioView />} /> },
  snapshots: { show: () => <LaterView show={({ SnapshotsView }) => <SnapshotsView />} /> },
  cards: { show: () => <LaterView show={({ CardsView }) => <CardsView />} /> },
};
