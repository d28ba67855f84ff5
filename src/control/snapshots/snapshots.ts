import { type Context, Hono } from 'hono';

import { CODE, refuse } from '../../core/errors.js';
import { formatInstant } from '../../core/time.js';
import { TABLES } from '../../records.js';
import { takeSnapshot } from '../../snapshot.js';
import { readBytes, requireJsonType, requireLength } from '../../http/read-body.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { respond, respondStream } from '../../http/respond.js';
import { decodeUtf8 } from '../../http/utf8.js';
import type { World } from '../../world.js';
import type { Worlds } from '../../worlds.js';
import type { Diff } from './diff.js';
import { noBody, plain } from '../plain.js';
import { presentWorld } from '../presenter.js';
import { type SavedSnapshot, Shelves } from './shelf.js';
import { TABLE_ROWS } from '../records/tables.js';
import { diffSnapshot } from './diff.js';

/** Named snapshots of a world, and the world as one document. */
export function snapshotRoutes(worlds: Worlds): Hono<Env> {
  const shelves = new Shelves();
  const find = (c: Context<Env>): SavedSnapshot => shelves.require(worldOf(c), c.req.param('name') ?? '');
  return (
    new Hono<Env>()
      .basePath('/_sandbox')
      .get('/snapshots', plain, (c) => {
        const saved = shelves.list(worldOf(c));
        return respond(c, { Count: saved.length, Snapshots: saved.map(presentSaved) });
      })
      .put('/snapshots/:name', plain, noBody, (c) =>
        respond(c, presentSaved(shelves.save(worldOf(c), c.req.param('name')))),
      )
      .get('/snapshots/:name', plain, (c) => respond(c, presentSaved(find(c))))
      .delete('/snapshots/:name', plain, noBody, (c) =>
        respond(c, presentSaved(shelves.remove(worldOf(c), c.req.param('name')))),
      )
      .post('/snapshots/:name/restore', plain, noBody, async (c) => {
        const { snapshot } = find(c);
        return respond(c, presentWorld(await shelves.restore(worlds, worldOf(c), snapshot)));
      })
      .get('/snapshots/:name/diff', plain, (c) => {
        const saved = find(c);
        const world = worldOf(c);
        return respond(c, presentDiff(world, saved, diffSnapshot(world, saved.snapshot)));
      })
      // Loaded at the first need: few ask for a whole world, and every start would pay for it.
      .get('/state', plain, async (c) => {
        const { writeState } = await import('./state-write.js');
        const world = worldOf(c);
        const pieces = writeState(takeSnapshot(world));
        return respondStream(c, streamed(pieces, world));
      })
      .put('/state', plain, async (c) => {
        const [{ readState }, document] = [await import('./state-read.js'), await readDocument(c)];
        const world = worldOf(c);
        const snapshot = await readState(document, world.settings, () => world.host.pause());
        // The world may have gone while the document was read.
        return respond(c, presentWorld(await shelves.restore(worlds, worldOf(c), snapshot)));
      })
  );
}

function presentSaved({ name, at, counts }: SavedSnapshot): object {
  return { Name: name, At: formatInstant(at), Counts: counts };
}

function presentDiff(world: World, saved: SavedSnapshot, { counts, listed }: Diff): object {
  return {
    Name: saved.name,
    From: formatInstant(saved.at),
    Now: formatInstant(world.now),
    Counts: Object.fromEntries(
      TABLES.map((table) => {
        const { added, changed, removed } = counts[table];
        return [TABLE_ROWS[table].counted, { Added: added, Changed: changed, Removed: removed }];
      }),
    ),
    Changes: listed.map(({ table, n, change }) => ({
      Kind: TABLE_ROWS[table].kind,
      Id: world[table].at(n)?.id ?? world[table].idAt(n),
      Change: change,
    })),
  };
}

function streamed(pieces: Iterator<string>, world: World): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await world.host.pause();
      const { value, done } = pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

/** The JSON of a whole world. It is larger than any body of the service, which the strict reader is bounded by. */
async function readDocument(c: Context<Env>): Promise<unknown> {
  const limit = c.get('edge').settings.batchBodyLimit;
  const stated = requireLength(c, limit);
  requireJsonType(c, stated ?? 1);
  return parsed(await readBytes(c, limit));
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes)) as unknown;
  } catch {
    // What the parser says repeats the text, where card numbers are.
    return refuse(CODE.ValidationError, 'The body is not acceptable JSON; GET /_sandbox/state gives some.');
  }
}
