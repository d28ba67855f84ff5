import { CODE } from '../../core/errors.js';
import { formatInstant } from '../../core/time/time.js';
import { requireWorld } from '../../http/exchange.js';
import { sendJsonStream, streamPieces } from '../../http/answers/respond.js';
import { type RefusalCode, route, type Section } from '../../http/route.js';
import { takeSnapshot } from '../../world/snapshot.js';
import { dashboardRoot, HOME_IN_PAGE } from '../pages/dashboard-page.js';
import { presentWorld } from '../presenter.js';
import { WorldResponse } from '../schema.js';
import { OPEN_ROW } from '../opening/routes.js';
import { diffSnapshot } from './diff.js';
import { parseDocument, receiveDocument } from './document.js';
import {
  BundleDocument,
  CompareSnapshot,
  DiffResponse,
  ExportBundle,
  ListSnapshots,
  SnapshotResponse,
  SnapshotsResponse,
  StateDocument,
} from './schema.js';
import { type NamedSnapshot, NAMED_SNAPSHOTS } from './shelf.js';

const UNKNOWN_SNAPSHOT: readonly RefusalCode[] = [[CODE.ValidationError, 404]];

/** Named snapshots of a world, and the world as one document. */
export const SNAPSHOTS: Section = {
  tag: 'Snapshots and state',
  text: 'Save the state of a world and restore it later.',
  rows: [
    route({
      method: 'get',
      path: '/_sandbox/snapshots',
      id: 'getSnapshots',
      summary: 'List snapshots',
      text: 'A world has at most ten snapshots. A name is 1 to 64 letters, digits, dots, hyphens and underscores. Those whose names begin with a dot are hidden: the last three are kept, in addition to the ten, and also after a reset.',
      query: ListSnapshots,
      response: SnapshotsResponse,
      handle: (c, { query }) => {
        const saved = NAMED_SNAPSHOTS.list(requireWorld(c), query.Hidden === true);
        return { Count: saved.length, Snapshots: saved.map(presentSaved) };
      },
    }),
    route({
      method: 'put',
      path: '/_sandbox/snapshots/{name}',
      id: 'saveSnapshot',
      summary: 'Save a snapshot',
      text: 'Saves records, clock, random state, pending jobs and the progress of the scenario. A snapshot of the same name is replaced.',
      response: SnapshotResponse,
      errors: [[CODE.ValidationError, 409]],
      handle: (c, { params }) => presentSaved(NAMED_SNAPSHOTS.save(requireWorld(c), params.name)),
    }),
    route({
      method: 'get',
      path: '/_sandbox/snapshots/{name}',
      id: 'getSnapshot',
      summary: 'Read a snapshot',
      text: 'Returns when it was taken and how many records it holds.',
      response: SnapshotResponse,
      errors: UNKNOWN_SNAPSHOT,
      handle: (c, { params }) => presentSaved(NAMED_SNAPSHOTS.require(requireWorld(c), params.name)),
    }),
    route({
      method: 'delete',
      path: '/_sandbox/snapshots/{name}',
      id: 'removeSnapshot',
      summary: 'Delete a snapshot',
      text: 'The world does not change.',
      response: SnapshotResponse,
      errors: UNKNOWN_SNAPSHOT,
      handle: (c, { params }) => presentSaved(NAMED_SNAPSHOTS.remove(requireWorld(c), params.name)),
    }),
    route({
      method: 'post',
      path: '/_sandbox/snapshots/{name}/restore',
      id: 'restoreSnapshot',
      summary: 'Restore a snapshot',
      text: 'The world returns to the saved state and time. Later calls stay in the journal, marked as undone.',
      response: WorldResponse,
      errors: UNKNOWN_SNAPSHOT,
      handle: async (c, { params }) => {
        const world = requireWorld(c);
        const { snapshot } = NAMED_SNAPSHOTS.require(world, params.name);
        return presentWorld(await NAMED_SNAPSHOTS.restore(c.get('edge').worlds, world, snapshot));
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/snapshots/{name}/diff',
      id: 'diffSnapshot',
      summary: 'Compare a snapshot with the world or with another snapshot',
      text: 'Returns the records that were added, changed or removed since the snapshot, and which fields of them changed. Now is the time of the other snapshot, if With names one.',
      query: CompareSnapshot,
      response: DiffResponse,
      errors: UNKNOWN_SNAPSHOT,
      handle: (c, { params, query: { With } }) => {
        const world = requireWorld(c);
        const { name, at, snapshot } = NAMED_SNAPSHOTS.require(world, params.name);
        const later = With === null ? null : NAMED_SNAPSHOTS.require(world, With);
        const from = { Name: name, From: formatInstant(at), Now: formatInstant(later?.at ?? world.now) };
        return { ...from, ...diffSnapshot(world, snapshot, later?.snapshot ?? null) };
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/state',
      id: 'getState',
      summary: 'Export the world',
      text: 'Returns one document that PUT /_sandbox/state accepts. It contains full card numbers and the credentials of providers and webhooks.',
      response: StateDocument,
      handle: async (c) => {
        const { writeState } = await import('./state-write.js');
        const world = requireWorld(c);
        return sendJsonStream(
          c,
          streamPieces(writeState(takeSnapshot(world)), () => world.host.pause()),
        );
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/bundle',
      id: 'getBundle',
      summary: 'Export the world and its calls for a bug report',
      text: 'Returns one document with the state, the seed, the scenario and the calls of the journal, which `playmoney open` and `playmoney replay` read. It may contain full card numbers. With Format=html, a page that opens without a server: the dashboard on a copy of the world, with stand-ins for card numbers.',
      query: ExportBundle,
      response: BundleDocument,
      errors: [[CODE.ValidationError, 413]],
      handle: async (c, { query }) => {
        if (query.Format === 'html') {
          const { respondBundlePage } = await import('../pages/bundle-page.js');
          return respondBundlePage(c, dashboardRoot(HOME_IN_PAGE));
        }
        const { writeBundle } = await import('./state-write.js');
        const world = requireWorld(c);
        return sendJsonStream(
          c,
          streamPieces(writeBundle(world), () => world.host.pause()),
        );
      },
    }),
    route({
      method: 'put',
      path: '/_sandbox/state',
      id: 'putState',
      summary: 'Import a world',
      text: 'Replaces the world with a document from GET /_sandbox/state. All earlier calls in its journal are then undone. An invalid document is refused and changes nothing.',
      body: StateDocument,
      readsBody: true,
      response: WorldResponse,
      errors: [[CODE.ValidationError, 413]],
      handle: async (c) => {
        const { readState } = await import('./state-read.js');
        const body = await receiveDocument(c);
        const { memory, worlds } = c.get('edge');
        return memory.runAlone(async () => {
          const world = requireWorld(c);
          const document = parseDocument(c, body, 'a document from GET /_sandbox/state');
          const snapshot = await readState(document, world.settings, () => world.host.pause());
          // The world may have been replaced while the document was read.
          return presentWorld(await NAMED_SNAPSHOTS.restore(worlds, requireWorld(c), snapshot));
        });
      },
    }),
    OPEN_ROW,
  ],
};

function presentSaved({ name, at, counts }: NamedSnapshot): SnapshotResponse {
  return { Name: name, At: formatInstant(at), Counts: counts };
}
