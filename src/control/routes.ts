import { CODE, refuse } from '../core/errors.js';
import { quoteText } from '../core/text/text.js';
import { hashedPublicKey } from '../http/auth.js';
import { requireWorld } from '../http/exchange.js';
import { type RefusalCode, route, type Section } from '../http/route.js';
import { UnreadableWorld } from '../world/keeper.js';
import { refuseLooserSettings } from '../world/settings.js';
import { presentTriggers } from '../outcomes/published.js';
import {
  presentAdvance,
  presentClock,
  presentHealth,
  presentSettled,
  presentUnreadable,
  presentWorld,
  presentWorlds,
} from './presenter.js';
import { requireScenario } from './scenario/routes.js';
import { ResetWorld } from './reset-schema.js';
import { SIMULATE_ROW, TOKEN_ROW } from './scenario/simulate.js';
import {
  AdvanceResponse,
  ClockResponse,
  DeletedWorldResponse,
  HealthResponse,
  ListWorlds,
  ReadyResponse,
  SettledResponse,
  TriggersResponse,
  WorldResponse,
  WorldsResponse,
} from './schema.js';
import { NAMED_SNAPSHOTS } from './snapshots/shelf.js';
import { AdvanceClock, ChangeClock, Settle } from './clock-schema.js';
import { refuseReceiver, settleWorld } from './webhooks/await.js';

const ADVANCING: readonly RefusalCode[] = [[CODE.RetryLater, 409]];

/** The world of a key: its state, its clock and its scenario. */
export const WORLD: Section = {
  tag: 'World and clock',
  text: 'The world that belongs to the key: its records and its clock.',
  rows: [
    route({
      method: 'get',
      path: '/_sandbox/health',
      id: 'getHealth',
      summary: 'Check that the sandbox is running',
      text: 'Needs no key and creates no world.',
      response: HealthResponse,
      access: 'open',
      handle: (c) => presentHealth(c.get('edge').worlds, c.get('edge').host),
    }),
    route({
      method: 'get',
      path: '/_sandbox/ready',
      id: 'getReady',
      summary: 'Check that the sandbox is ready',
      text: 'Answers 200 once the scenario and seed data are loaded, so that a new world opens at once; 503 before that.',
      response: ReadyResponse,
      access: 'open',
      handle: async (c) => {
        await c.get('edge').worlds.load();
        return { Status: 'ready' as const };
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/world',
      id: 'getWorld',
      summary: 'Read the world',
      text: 'Returns its seed, dialect, clock and scenario, and the number of records of each kind.',
      response: WorldResponse,
      handle: (c) => {
        const world = requireWorld(c);
        const PublicKey = hashedPublicKey(world.keyHash);
        return { ...presentWorld(world), ...(c.get('edge').settings.hashesPublicKeys ? { PublicKey } : {}) };
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/worlds',
      id: 'getWorlds',
      summary: 'List all worlds',
      text: 'Worlds are listed by a short hash of their key, because keys are secret, and test keys only where every caller may open every world. First come those in memory, then those that --state has saved.',
      query: ListWorlds,
      response: WorldsResponse,
      access: 'open',
      handle: (c, { query }) => {
        const { worlds, settings } = c.get('edge');
        return presentWorlds(worlds, query, settings);
      },
    }),
    route({
      method: 'delete',
      path: '/_sandbox/worlds/{name}',
      id: 'deleteWorld',
      runsWhenFull: true,
      summary: 'Delete a world',
      text: 'Deletes the world of the key, and what is saved of it. The next call with the key opens a new world. A saved world that cannot be read is deleted, too. Without a key, a server on a loopback address or with an admin token deletes the world of that name.',
      response: DeletedWorldResponse,
      errors: [[CODE.ValidationError, 404]],
      handle: async (c, { params }) => {
        const { unreadable } = c.get('exchange');
        const world = unreadable ?? requireWorld(c);
        if (params.name !== world.keyHash) {
          const detail = `The world of this key is ${world.keyHash}, not ${quoteText(params.name, 64)}.`;
          refuse(CODE.ValidationError, detail, { httpStatus: 404 });
        }
        if (world instanceof UnreadableWorld) {
          await world.remove();
          return presentUnreadable(world);
        }
        const deleted = presentWorld(world);
        await c.get('edge').worlds.delete(world);
        return deleted;
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/reset',
      id: 'resetWorld',
      runsWhenFull: true,
      summary: 'Reset the world',
      text: 'Deletes all records and sets the clock back to its start. Everything but Scenario stays through later resets without Name; a reset with Name starts from the settings of the sandbox.',
      body: ResetWorld,
      bodyOptional: true,
      response: WorldResponse,
      errors: [[CODE.ValidationError, 404]],
      handle: async (c, { body }) => {
        const { seed, scenario: name, own } = body;
        const { worlds } = c.get('edge');
        refuseLooserSettings(own, worlds.settings);
        const scenario = name === null ? null : await requireScenario(c, name);
        const before = requireWorld(c);
        const { key } = before;
        const request = { seed, scenario, own };
        await worlds.prepare(key, request);
        const world = worlds.reset(key, request);
        NAMED_SNAPSHOTS.carryHidden(before, world);
        return presentWorld(world);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/clock',
      id: 'getClock',
      summary: 'Read the clock',
      text: 'NextDue is the time of the next job, or null if there is none.',
      response: ClockResponse,
      handle: (c) => presentClock(requireWorld(c)),
    }),
    route({
      method: 'put',
      path: '/_sandbox/clock',
      id: 'setClock',
      runsWhenFull: true,
      summary: 'Set the clock',
      text: 'A manual clock stands still until you advance it. A scaled clock runs Rate times as fast as real time.',
      body: ChangeClock,
      response: ClockResponse,
      errors: ADVANCING,
      handle: async (c, { body }) => {
        const world = requireWorld(c);
        const { change, to } = body;
        refuseReceiver(world);
        await world.advance(to === null ? { by: 0 } : { to }, change);
        return presentClock(world);
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/clock/advance',
      id: 'advanceClock',
      runsWhenFull: true,
      summary: 'Advance the clock',
      text: 'Runs every job that becomes due, in order, and answers once the resulting webhooks have been delivered. Send By or To, never both.',
      body: AdvanceClock,
      bodyOptional: true,
      response: AdvanceResponse,
      errors: ADVANCING,
      handle: async (c, { body }) => {
        const world = requireWorld(c);
        refuseReceiver(world);
        return presentAdvance(world, await world.advance(body));
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/settle',
      id: 'settleWorld',
      runsWhenFull: true,
      summary: 'Wait until all work is done',
      text: 'Runs the jobs that are due now and answers once their webhooks have been delivered. The clock does not move.',
      body: Settle,
      bodyOptional: true,
      response: SettledResponse,
      errors: [CODE.Timeout, ...ADVANCING],
      handle: async (c, { body }) => {
        const world = requireWorld(c);
        await settleWorld(world, body.timeoutMs);
        return presentSettled(world);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/triggers',
      id: 'getTriggers',
      summary: 'List magic cards, tokens, accounts, outcomes and statuses',
      text: 'Returns everything that makes a provider give an answer other than an approval, the order of precedence, and the meaning of each status of a charge.',
      response: TriggersResponse,
      access: 'open',
      handle: () => presentTriggers(),
    }),
    SIMULATE_ROW,
    TOKEN_ROW,
  ],
};
