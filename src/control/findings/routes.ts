import * as z from 'zod';

import { type Candidates } from '../../core/store/store.js';
import { allRecords, listRecords } from '../../core/store/search.js';
import * as answers from '../../http/answers/answers.js';
import { requireWorld } from '../../http/exchange.js';
import { route } from '../../http/route.js';
import type { World } from '../../world/world.js';
import { listWorldFindings, WORLD_FINDING_KINDS, type WorldFinding } from './findings.js';

/** How many of the newest charges are compared with each other. */
const CHARGES_COMPARED_MAX = 10_000;
const FINDINGS_MAX = 100;

export const FindingsResponse = answers.object(() => ({
  Count: answers.count(),
  Findings: z
    .array(
      z.strictObject({
        Kind: z.enum(WORLD_FINDING_KINDS),
        Message: z.string().describe('The finding as a line of a list.'),
        Count: answers.count().describe('How many charges, calls or attempts it is about.'),
        Reference: answers.text().describe('The order that was charged twice.'),
        Url: answers.text().describe('The receiver whose webhooks fail.'),
        EntryIds: z.array(answers.count()).describe('The first 20 calls that it is about.'),
        ChargeIds: z.array(z.string()).describe('The first 20 charges that it is about.'),
      }),
    )
    .describe('The worst first: the first 100.'),
}));
export type FindingsResponse = z.output<typeof FindingsResponse>;

export const FINDINGS_ROW = route({
  method: 'get',
  path: '/_sandbox/findings',
  id: 'lookFindings',
  summary: 'List what looks wrong',
  text: 'Orders that were charged twice, answers that were lost and never looked up, receivers that fail, and calls that were refused. Read from the journal, the deliveries and the newest 10,000 charges; POST /_sandbox/reconcile compares with the orders of the shop.',
  response: FindingsResponse,
  handle: (c) => {
    const findings = readWorldFindings(requireWorld(c));
    return { Count: findings.length, Findings: findings.slice(0, FINDINGS_MAX).map(presentWorldFinding) };
  },
});

export function readWorldFindings({ charges, journal, deliveries }: World): WorldFinding[] {
  return listWorldFindings({
    charges: listRecords(takeNewest(allRecords(charges), CHARGES_COMPARED_MAX)),
    entries: journal.entries(),
    deliveries: deliveries.newestFirst(),
  });
}

function takeNewest<R>(all: Candidates<R>, most: number): Candidates<R> {
  const skipped = Math.max(0, all.length - most);
  return { length: all.length - skipped, at: (i) => all.at(skipped + i) };
}

function presentWorldFinding({
  kind,
  message,
  count,
  reference,
  url,
  refs,
}: WorldFinding): FindingsResponse['Findings'][number] {
  return {
    Kind: kind,
    Message: message,
    Count: count,
    Reference: reference,
    Url: url,
    EntryIds: refs.filter((ref) => typeof ref === 'number'),
    ChargeIds: refs.filter((ref) => typeof ref === 'string'),
  };
}
