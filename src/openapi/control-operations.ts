import * as z from 'zod';

import { AdvanceClock, ChangeClock, ResetWorld, Settle } from '../control/schema.js';
import { AwaitEntries, CountEntries, ExportEntries, ListEntries } from '../control/journal/schema.js';
import { QueueOutcomes } from '../control/scenario/outcomes-schema.js';
import { UseScenario } from '../control/scenario/scenario.js';
import { Simulate } from '../control/scenario/simulate.js';
import { CreateToken } from '../control/scenario/tokens.js';
import { ListDeliveries } from '../control/webhooks/webhooks.js';
import { ChargeResponse } from '../charges/schema.js';
import { CODE } from '../core/errors.js';
import {
  Advance,
  Awaited,
  Cleared,
  Clock,
  Deliveries,
  Delivery,
  Diff,
  Exported,
  Health,
  Journal,
  JournalCount,
  OneEntry,
  Played,
  PlayedWhole,
  Queued,
  Queues,
  Ready,
  Scenarios,
  Settled,
  Snapshot,
  Snapshots,
  State,
  Triggers,
  Unmatched,
  World,
  Worlds,
} from './control-answers.js';
import { BatchStatusResponse } from '../batches/schema.js';
import { PaymentMethodResponse } from '../payment-methods/schema.js';
import { TokenWithExpiryResponse } from '../tokens/schema.js';
import { VaultEntryResponse } from '../vault/schema.js';
import { row, type Section } from './operation.js';

const UNKNOWN_SCENARIO = [CODE.ValidationError, 404] as const;
const UNKNOWN_SNAPSHOT = [CODE.ValidationError, 404] as const;
const TOO_LARGE = [CODE.ValidationError, 413] as const;

/** The time of a world, what it is, and what is scripted in it. */
export const WORLD: Section = {
  tag: 'World and clock',
  text: 'The world of the key: what it holds, and what time it is there.',
  rows: [
    row('get', '/_sandbox/health', 'getHealth', 'Ask whether the sandbox is up', Health, { access: 'open' }),
    row('get', '/_sandbox/ready', 'getReady', 'Wait until scenario and seed data are loaded', Ready, {
      access: 'open',
    }),
    row('get', '/_sandbox/world', 'getWorld', 'Look at the world', World),
    row('get', '/_sandbox/worlds', 'getWorlds', 'List all worlds', Worlds, { access: 'open' }),
    row('post', '/_sandbox/reset', 'resetWorld', 'Begin the world anew', World, {
      body: ResetWorld,
      bodyOptional: true,
      errors: [UNKNOWN_SCENARIO],
    }),
    row('get', '/_sandbox/clock', 'getClock', 'Read the clock', Clock),
    row('put', '/_sandbox/clock', 'setClock', 'Change how time passes', Clock, {
      body: ChangeClock,
      errors: [[CODE.RetryLater, 409]],
    }),
    row('post', '/_sandbox/clock/advance', 'advanceClock', 'Let time pass', Advance, {
      text: 'Runs every job that is due meanwhile, in order, and answers once the deliveries that these caused have ended.',
      body: AdvanceClock,
      errors: [[CODE.RetryLater, 409]],
    }),
    row('post', '/_sandbox/settle', 'settleWorld', 'Wait until nothing is under way', Settled, {
      body: Settle,
      bodyOptional: true,
      errors: [CODE.Timeout],
    }),
    row(
      'get',
      '/_sandbox/triggers',
      'getTriggers',
      'List magic cards, tokens, accounts and outcomes',
      Triggers,
      { access: 'open' },
    ),
    row(
      'post',
      '/_sandbox/simulate',
      'simulate',
      'Make something happen at once',
      z.union([
        ChargeResponse,
        PaymentMethodResponse,
        VaultEntryResponse,
        BatchStatusResponse,
        TokenWithExpiryResponse,
      ]),
      {
        body: Simulate,
        errors: [
          [CODE.InvalidBatch, 404],
          [CODE.InvalidBatch, 409],
          CODE.InvalidVaultId,
          CODE.InvalidChargeId,
          CODE.InvalidChargeStatus,
          CODE.InvalidPaymentMethodId,
          CODE.InvalidPaymentMethodIdRemoved,
          CODE.InvalidPaymentType,
          [CODE.InvalidPaymentMethod, 409],
          CODE.InvalidTokenId,
          [CODE.InvalidOrExpiredToken, 409],
        ],
      },
    ),
    row(
      'post',
      '/_sandbox/tokens',
      'createSandboxToken',
      'Make the token that a page would have made',
      TokenWithExpiryResponse,
      {
        body: CreateToken,
        errors: [CODE.ExpiredCard, CODE.InvalidPaymentInformation],
        asksProvider: true,
      },
    ),
  ],
};

export const SCRIPT: Section = {
  tag: 'Outcomes and scenarios',
  text: 'What calls are answered.',
  rows: [
    row('post', '/_sandbox/outcomes', 'queueOutcomes', 'Say what the next calls are answered', Queued, {
      body: QueueOutcomes,
    }),
    row('get', '/_sandbox/outcomes', 'getOutcomes', 'List what is queued', Queues),
    row('delete', '/_sandbox/outcomes', 'emptyOutcomes', 'Empty the queues', Queues),
    row(
      'get',
      '/_sandbox/scenarios',
      'getScenarios',
      'List the scenarios that can be played by name',
      Scenarios,
    ),
    row('get', '/_sandbox/scenario', 'getScenario', 'Look at the scenario that is played', PlayedWhole),
    row('put', '/_sandbox/scenario', 'useScenario', 'Play a scenario', Played, {
      text: 'Either Name or Definition. Rules, timeline, batches and webhooks change; records, seed and clock stay.',
      body: UseScenario,
      errors: [UNKNOWN_SCENARIO],
    }),
    row('delete', '/_sandbox/scenario', 'endScenario', 'Play no scenario', Played),
    row(
      'get',
      '/_sandbox/scenario/unmatched',
      'getUnmatched',
      'List the rules that never matched',
      Unmatched,
    ),
  ],
};

export const JOURNAL: Section = {
  tag: 'Journal and webhooks',
  text: 'What a program sent, what it was answered, and who was told.',
  rows: [
    row('get', '/_sandbox/journal', 'getJournal', 'List calls, newest first', Journal, {
      query: ListEntries,
    }),
    row('get', '/_sandbox/journal/{id}', 'getEntry', 'Read a call, and how it can be sent again', OneEntry, {
      errors: [[CODE.ValidationError, 404]],
    }),
    row('delete', '/_sandbox/journal', 'clearJournal', 'Empty the journal', Cleared),
    row('post', '/_sandbox/journal/count', 'countEntries', 'Count calls', JournalCount, {
      body: CountEntries,
      bodyOptional: true,
    }),
    row('post', '/_sandbox/journal/await', 'awaitEntries', 'Wait for calls or for deliveries', Awaited, {
      text: 'In vain: 408, and Nearest tells what the closest others lack.',
      body: AwaitEntries,
      errors: [CODE.Timeout],
    }),
    row('get', '/_sandbox/journal/export', 'exportJournal', 'Export the journal', Exported, {
      query: ExportEntries,
    }),
    row(
      'get',
      '/_sandbox/webhooks',
      'getDeliveries',
      'List deliveries of webhooks, newest first',
      Deliveries,
      { query: ListDeliveries },
    ),
    row('post', '/_sandbox/webhooks/{id}/resend', 'resendDelivery', 'Send a webhook again', Delivery, {
      errors: [[CODE.ValidationError, 404]],
    }),
  ],
};

export const SNAPSHOTS: Section = {
  tag: 'Snapshots and state',
  text: 'Keeping a world, and going back to it.',
  rows: [
    row('get', '/_sandbox/snapshots', 'getSnapshots', 'List snapshots', Snapshots),
    row('put', '/_sandbox/snapshots/{name}', 'saveSnapshot', 'Keep the world under a name', Snapshot),
    row('get', '/_sandbox/snapshots/{name}', 'getSnapshot', 'Look at a snapshot', Snapshot, {
      errors: [UNKNOWN_SNAPSHOT],
    }),
    row('delete', '/_sandbox/snapshots/{name}', 'removeSnapshot', 'Drop a snapshot', Snapshot, {
      errors: [UNKNOWN_SNAPSHOT],
    }),
    row('post', '/_sandbox/snapshots/{name}/restore', 'restoreSnapshot', 'Go back to a snapshot', World, {
      errors: [UNKNOWN_SNAPSHOT],
    }),
    row(
      'get',
      '/_sandbox/snapshots/{name}/diff',
      'diffSnapshot',
      'Say what is different from a snapshot',
      Diff,
      { errors: [UNKNOWN_SNAPSHOT] },
    ),
    row('get', '/_sandbox/state', 'getState', 'Export the whole world', State),
    row('put', '/_sandbox/state', 'putState', 'Put an exported world in place of this one', World, {
      body: State,
      errors: [TOO_LARGE],
    }),
  ],
};
