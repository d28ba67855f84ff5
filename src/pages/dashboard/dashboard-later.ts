/** What the page loads after its first view: search, the pages of one record or order, and the views that decide and look up. */
export { listFoundGroups } from './shell/deeds.js';
export { rememberItem } from './shell/found.js';
export { CardsView } from './views/cards.js';
export { NextView } from './views/decide/next.js';
export { ScenarioView } from './views/decide/scenario.js';
export { SnapshotsView } from './views/decide/snapshots.js';
export { OrderView } from './views/order.js';
export { ChargeView } from './views/records/charge.js';
export { RecordView } from './views/records/record.js';
