/** How long to wait for a page that is closing, or a worker that is ending. */
const LOCK_WAIT_MS = 3_000;
const IN_MEMORY = 'Pass { database: null } to keep the worlds in memory';

/** The databases that this page or worker has. */
const HELD = new Set<string>();

/** Takes the lock of a database. The result releases it. */
export async function lockDatabase(name: string): Promise<() => void> {
  if (!('indexedDB' in globalThis))
    throw buildOpenError(name, `there is no IndexedDB here, as in jsdom. ${IN_MEMORY}`);
  const locks = (navigator as Partial<Navigator>).locks;
  if (locks === undefined) throw buildOpenError(name, new DOMException('', 'SecurityError'));
  const release = await new Promise<() => void>((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((end) => resolve(end));
    const options = { signal: AbortSignal.timeout(LOCK_WAIT_MS) };
    locks
      .request(`playmoney ${name}`, options, hold)
      .catch((error: unknown) => reject(buildOpenError(name, error)));
  });
  HELD.add(name);
  return () => {
    HELD.delete(name);
    release();
  };
}

/** Opens a database with one store of objects. `lost` is called when it is closed, since somebody deletes, upgrades or clears it. */
export async function openDatabase(
  name: string,
  store: string,
  lost: () => void,
  version?: number,
): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, version);
  opening.addEventListener('upgradeneeded', () => {
    if (!opening.result.objectStoreNames.contains(store)) opening.result.createObjectStore(store);
  });
  const database = await awaitRequest(opening).catch((error: unknown) => {
    throw buildOpenError(name, error);
  });
  // Somebody else made it.
  if (!database.objectStoreNames.contains(store)) {
    database.close();
    return openDatabase(name, store, lost, database.version + 1);
  }
  for (const type of ['versionchange', 'close'])
    database.addEventListener(type, () => {
      database.close();
      lost();
    });
  return database;
}

export function awaitRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')));
    request.addEventListener('blocked', () => reject(new DOMException('', 'TimeoutError')));
  });
}

export function awaitCommit(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('The transaction was aborted.')),
    );
  });
}

const buildOpenError = (name: string, error: unknown): Error =>
  new Error(`Failed to open the database "${name}": ${explainClosed(name, error)}.`, { cause: error });

function explainClosed(name: string, error: unknown): string {
  const { name: kind = '', message = String(error) } = error as Partial<Error>;
  if (kind === 'TimeoutError')
    return HELD.has(name)
      ? 'this page has opened it before. Close that sandbox first, under hot updates in import.meta.hot?.dispose'
      : 'another page or worker has it. Close that, name another database, or let all pages use the service worker';
  if (kind !== 'SecurityError') return message.replace(/\.$/, '');
  if (!isSecureContext)
    return `${origin} is not secure, and browsers lock databases only over https and on localhost. ${IN_MEMORY}`;
  return origin === 'null'
    ? `this page has no origin of its own, as a sandboxed frame or a data: address has none. ${IN_MEMORY}`
    : `the browser blocks site data here. Allow it, or: ${IN_MEMORY}`;
}
