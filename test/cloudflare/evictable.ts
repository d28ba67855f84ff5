import worker, { PlaymoneyWorld } from '../../integrations/cloudflare/worker.js';
import type { Bindings, ObjectState, ObjectStorage } from '../../integrations/cloudflare/platform.js';

/** The Worker that is tested, and what a test asks of its objects. */

/** What an object has written since it came into memory. */
export interface Written {
  rows: number;
  bytes: number;
}

export class EvictableWorld extends PlaymoneyWorld {
  readonly #written: Written;

  constructor(state: ObjectState, bindings: Bindings) {
    const written = { rows: 0, bytes: 0 };
    super({ storage: counting(state.storage, written), abort: (reason) => state.abort(reason) }, bindings);
    this.#written = written;
  }

  override async fetch(request: Request): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case '/test/evict':
        this.state.abort('evicted');
        return new Response();
      case '/test/written':
        return Response.json(this.#written);
      case '/test/stored':
        return Response.json((await this.state.storage.get('part-0')) !== undefined);
      default:
        return super.fetch(request);
    }
  }
}

/** Counts what the platform counts as rows: values that are written, and alarms that are set. */
function counting(storage: ObjectStorage, written: Written): ObjectStorage {
  return {
    get: storage.get.bind(storage),
    put: (entries) => {
      for (const value of Object.values(entries)) {
        written.rows++;
        written.bytes += typeof value === 'string' ? value.length : bytesOf(value);
      }
      return storage.put(entries);
    },
    delete: storage.delete.bind(storage),
    deleteAll: storage.deleteAll.bind(storage),
    getAlarm: storage.getAlarm.bind(storage),
    setAlarm: (instant) => {
      written.rows++;
      return storage.setAlarm(instant);
    },
    deleteAlarm: storage.deleteAlarm.bind(storage),
  };
}

function bytesOf(value: unknown): number {
  const bytes = value instanceof Uint8Array ? value : (value as { bytes: Uint8Array }).bytes;
  return bytes.byteLength;
}

export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    const { WORLDS } = bindings;
    const name = request.headers.get('x-test-object');
    return name === null
      ? worker.fetch(request, bindings)
      : WORLDS.get(WORLDS.idFromName(name)).fetch(request);
  },
};
