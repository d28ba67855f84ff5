import { type Codec, invalid, invalidAt, list, orNull, readAt } from '../../core/store/codec.js';
import { CODE, refuse } from '../../core/errors.js';
import type { Rows } from '../../core/store/store.js';
import { isObject, explainWrongType, endSentence } from '../../core/text/text.js';
import { ValidationError } from '../../core/validation-error.js';
import { sourceCodec, type SourceLinks } from '../../records/payment-method.js';
import { type AllRows, KINDS, type TableName, TABLES } from '../../world/tables.js';
import type { Snapshot } from '../../world/snapshot.js';
import { applyOwnSettings, type WorldSettings } from '../../world/settings.js';
import { STATE } from '../opening/file-format.js';
import { recordCodecWithRows } from './state-batch.js';
import { readGivenIds, stateHeadCodec } from './state-head.js';
import { readJobs } from './state-jobs.js';
import { type IdLookup, buildIdLookups, buildReadLinks } from './state-links.js';
import { scriptCodec } from './state-script.js';
import { STATE_TABLES } from './state-write.js';

/** Records read between two turns of the event loop. */
const TURN_RECORDS = 2000;

type Pause = () => Promise<void>;

/**
 * Reads a document that `writeState` made into a snapshot. An invalid document is refused as a whole: 400 with
 * code 90 and the path. The settings of the server (limits, where its clocks begin) stay.
 */
export async function readState(document: unknown, settings: WorldSettings, pause: Pause): Promise<Snapshot> {
  try {
    return await readSnapshotDocument(document, settings, pause);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const place = error.path.join('.') || 'body';
    return refuse(CODE.ValidationError, endSentence(`The document is invalid: ${place} ${error.message}`), {
      details: { [place]: error.message },
    });
  }
}

async function readSnapshotDocument(
  document: unknown,
  settings: WorldSettings,
  pause: Pause,
): Promise<Snapshot> {
  const sections = requireSections(document);
  const part = <T>(name: string, read: Codec<T>['read']): T => readAt(name, read, sections[name]);
  const countOf = (table: TableName): number => {
    const items = sections[KINDS[table].counted];
    return Array.isArray(items) ? items.length : Infinity;
  };
  const { seed, settings: set, chance, clock, rate } = stateHeadCodec.read(pickHead(sections));
  const givenIds = part('GivenIds', (value) => readGivenIds(value, countOf));
  const idOf = buildIdLookups(chance.base, givenIds);
  const links = buildReadLinks(idOf, countOf, part('Sources', list(sourceCodec).read));
  const tables: Partial<Record<TableName, Rows<unknown>>> = {};
  for (const table of STATE_TABLES) {
    const items = part(KINDS[table].counted, (value) => requireItems(value, settings.recordsMax));
    tables[table] = await readTable(table, items, links, idOf, pause);
  }
  const script = part('Script', orNull(scriptCodec).read);
  const state = { ...(tables as AllRows), clock, script };
  // A document has no secrets of the sandbox.
  const own = { ...set.own, webhookSecret: settings.own.webhookSecret };
  return {
    ...state,
    settings: applyOwnSettings({ ...settings, seed, ...set }, own),
    base: chance.base,
    givenIds,
    counts: chance.counts.map(({ name, count }) => [name, count]),
    rate,
    jobs: part('Jobs', (value) => readJobs(value, state, idOf)),
    branch: null,
  };
}

/** The fields of a document that are read by themselves; the others are its head. */
const STATE_SECTIONS: ReadonlySet<string> = new Set([
  ...TABLES.map((table) => KINDS[table].counted),
  'Sources',
  'Jobs',
  'Script',
  'GivenIds',
]);

function pickHead(sections: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(sections).filter(([name]) => !STATE_SECTIONS.has(name)));
}

/** The fields after Format and Version, which are checked first. */
function requireSections(document: unknown): Record<string, unknown> {
  if (!isObject(document)) return invalid(explainWrongType('an object', document));
  const { Format, Version, ...sections } = document;
  if (Format !== STATE.format) invalidAt(['Format'], `must be ${STATE.format}`);
  if (typeof Version === 'number' && Number.isInteger(Version) && Version > STATE.version)
    invalidAt(
      ['Version'],
      `is ${Version}, from a newer version of this program; this one reads ${STATE.version}`,
    );
  if (Version !== STATE.version) invalidAt(['Version'], `must be ${STATE.version}`);
  // Documents from before 3-D Secure, or from before check-outs, have no such list.
  return { Authentications: [], Checkouts: [], ...sections };
}

function requireItems(value: unknown, max: number): readonly unknown[] {
  if (!Array.isArray(value)) return invalid(explainWrongType('an array', value));
  if (value.length > max) invalid(`has ${value.length} records; the maximum of this sandbox is ${max}`);
  return value;
}

async function readTable(
  table: TableName,
  items: readonly unknown[],
  links: SourceLinks,
  idOf: IdLookup,
  pause: Pause,
): Promise<Rows<unknown>> {
  if (items.length === 0) return [];
  const { counted, forgets = false } = KINDS[table];
  const codec = recordCodecWithRows(table, links);
  const rows: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (index % TURN_RECORDS === TURN_RECORDS - 1) await pause();
    if (item === null && forgets) rows.push(undefined);
    else {
      const read = readAt(counted, (given) => readAt(index, codec.read, given), item);
      // A provider's identifier is its ProviderId.
      const id = table === 'providers' && 'providerId' in read ? read.providerId : idOf(table, index);
      rows.push({ id, index, ...read });
    }
  }
  return rows;
}
