import * as z from 'zod';

import { DIALECT_SETTINGS } from '../core/dialect/dialect.js';
import * as answers from '../http/answers/answers.js';
import { CHARGE_STATUSES } from '../records/charge.js';
import { KINDS } from '../world/tables.js';
import { requestSchema } from '../http/fields/field.js';
import { pageFields } from '../http/fields/list-fields.js';
import { MODES } from './clock-schema.js';

export const HealthResponse = answers.object(() => ({
  Status: z.literal('ok'),
  Version: z.string(),
  Uptime: answers.count().describe('In whole seconds.'),
  Worlds: answers.count(),
  Node: z.string(),
  SavedUntil: answers
    .maybeInstant()
    .describe('With --state: all calls that were answered before this instant of the wall clock are saved.'),
}));
export type HealthResponse = z.output<typeof HealthResponse>;

export const ReadyResponse = answers.object(() => ({ Status: z.literal('ready') }));
export type ReadyResponse = z.output<typeof ReadyResponse>;

/** Counts of records by the names of their tables, and of the given other things. */
const countsAnswer = (...names: string[]) =>
  z.strictObject(
    Object.fromEntries(
      [...Object.values(KINDS).map((row) => row.counted), ...names].map((name) => [name, answers.count()]),
    ),
  );
const Counts = z.lazy(() => countsAnswer('JournalEntries', 'QueuedJobs').meta({ id: 'Counts' }));
/** The counts of a snapshot, which has no journal. */
export const SavedCounts = z.lazy(() => countsAnswer('QueuedJobs').meta({ id: 'SavedCounts' }));

const modeAnswer = () => z.enum(MODES);
const rateAnswer = () => z.number().describe('The speed of the clock, as a multiple of real time.');
const nextDueAnswer = () =>
  answers.maybeInstant().describe('The time of the next job, or null if there is none.');

const worldNameAnswer = () =>
  answers.text().describe('The name that a reset gave the world; null if its identifiers come from its key.');

export const WorldResponse = answers.component('World', () => ({
  World: z.string().describe('A short hash of the key.'),
  Name: worldNameAnswer(),
  Seed: z.string(),
  Dialect: z.enum(DIALECT_SETTINGS),
  Clock: z.strictObject({ Now: answers.instant(), Mode: modeAnswer(), Rate: rateAnswer() }),
  Scenario: answers.text(),
  Counts: Counts.describe('The number of records of each kind, of journal entries and of queued jobs.'),
  PublicKey: z
    .string()
    .optional()
    .describe(
      'The public key of the world, where it is a hash of the secret key: on Cloudflare. Only this call returns it.',
    ),
}));
export type WorldResponse = z.output<typeof WorldResponse>;

export const UnreadableWorldResponse = answers.component('UnreadableWorld', () => ({
  World: z.string(),
  Problem: z.string().describe('What is wrong with what is saved of it, and where that is.'),
}));

export type UnreadableWorldResponse = z.output<typeof UnreadableWorldResponse>;

/** The deleted world, or the problem of one that cannot be read: null fields would look as if the world had been empty. */
export const DeletedWorldResponse = z.lazy(() => z.union([WorldResponse, UnreadableWorldResponse]));

export const ListWorlds = requestSchema(
  () => pageFields(),
  ({ Limit, Skip }) => ({ limit: Limit, skip: Skip }),
);

export const WorldsResponse = answers.object(() => ({
  Count: answers.count().describe('How many worlds there are in all.'),
  Awake: answers.count().describe('How many of them are in memory. They come first.'),
  Worlds: z.array(
    z.strictObject({
      World: z.string(),
      Key: answers
        .text()
        .describe(
          'Of a world in memory whose key starts with sk_test_, on a server on a loopback address without an admin token; otherwise null.',
        ),
      Name: worldNameAnswer(),
      Scenario: answers.text(),
      Now: answers.instant(),
      Awake: z
        .boolean()
        .describe('Whether it is in memory. With --state, the next call with its key loads it.'),
      Counts,
    }),
  ),
  Unreadable: z
    .array(UnreadableWorldResponse)
    .describe('The worlds of this page that are saved, but cannot be read.'),
}));
export type WorldsResponse = z.output<typeof WorldsResponse>;

export const ClockResponse = answers.component('Clock', () => ({
  Now: answers.instant(),
  Mode: modeAnswer(),
  Rate: rateAnswer(),
  NextDue: nextDueAnswer(),
}));
export type ClockResponse = z.output<typeof ClockResponse>;

export const SettledResponse = answers.object(() => ({ Now: answers.instant(), NextDue: nextDueAnswer() }));
export type SettledResponse = z.output<typeof SettledResponse>;

export const JobResponse = answers.component('Job', () => ({
  At: answers.instant().describe('When it is due.'),
  Kind: z.string(),
  Ref: z.string().describe('The identifier of its record, or the event of a timeline.'),
  About: answers
    .text()
    .describe(
      'What it is about: the amount and reference of its record, or the receiver and try of a webhook.',
    ),
}));
export type JobResponse = z.output<typeof JobResponse>;

export const AdvanceResponse = answers.object(() => ({
  From: answers.instant(),
  Now: answers.instant(),
  Ran: z.array(JobResponse).describe('The first thousand jobs that ran.'),
  Jobs: answers.count().describe('The number of jobs that ran.'),
  Counts: z
    .record(z.string(), answers.count())
    .describe('How many jobs of each kind ran; for batch.rows, how many rows.'),
  Deliveries: answers.count().describe('The number of webhooks that were sent.'),
  FailedDeliveries: answers.count().describe('How many of them failed.'),
}));
export type AdvanceResponse = z.output<typeof AdvanceResponse>;

const effectList = <const N extends string>(name: N) =>
  z.array(z.strictObject({ ...({ [name]: z.string() } as Record<N, z.ZodString>), Effect: z.string() }));

export const TriggersResponse = answers.object(() => ({
  Precedence: z.array(z.string()),
  Outcomes: z.array(
    z.strictObject({
      Outcome: z.string(),
      Code: z.int().nullable(),
      GatewayCode: answers.text(),
      GatewayMessage: answers.text(),
      IsRetryable: z.boolean(),
      FailsOver: z
        .boolean()
        .describe('Whether the charge goes on at the fallback of its provider, if there is one.'),
      HttpStatus: z.int().nullable(),
    }),
  ),
  Cards: z.array(z.strictObject({ CardNumber: z.string(), Scheme: z.string(), Effect: z.string() })),
  Accounts: effectList('AccountNumber'),
  PayIds: effectList('PayId'),
  Tokens: effectList('Token'),
  Providers: z.array(z.strictObject({ ProviderId: z.string(), Name: answers.text(), Behaviour: z.string() })),
  Statuses: z.array(
    z.strictObject({
      Status: z.enum(CHARGE_STATUSES),
      Meaning: z.string(),
      Way: z.string().describe('How a test gets a charge with this status.'),
      Next: z.array(z.enum(CHARGE_STATUSES)).describe('The statuses that can follow; none if it is final.'),
    }),
  ),
}));
export type TriggersResponse = z.output<typeof TriggersResponse>;
