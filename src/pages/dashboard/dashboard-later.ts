/** Views and searches that the page loads after its first view. */
export { listFoundGroups } from './shell/deeds.js';
export { rememberItem } from './shell/found.js';
export { CardsView } from './views/cards.js';
export { FilesView } from './views/decide/documents.js';
export { NextView } from './views/decide/next.js';
export { ScenarioView } from './views/decide/scenario.js';
export { SnapshotsView } from './views/decide/snapshots.js';
export { DeliveryInspector } from './views/delivery.js';
export { DueView } from './views/due.js';
export { OrderView } from './views/order.js';
export { ChargeView } from './views/records/charge.js';
export { RecordView } from './views/records/record.js';
export { WebhooksView } from './views/webhooks.js';
