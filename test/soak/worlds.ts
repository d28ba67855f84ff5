import type { Player } from './player.js';
import { BROKEN_PLAYS, FAULTS } from './plays/broken.js';
import { CHARGE_PLAYS } from './plays/charges.js';
import { SNAPSHOT_PLAYS } from './plays/snapshots.js';
import { LIVE_PLAYS } from './plays/live.js';
import { spellingPlay } from './plays/dialects.js';
import { STORED_PLAYS } from './plays/stored.js';
import { TIMED_PLAYS } from './plays/timed.js';
import { webhookPlays, webhookCharge } from './plays/webhooks.js';
import { WRONG_PLAYS } from './plays/wrong.js';
import type { Receiver } from './receiver.js';
import type { WorldPlan } from './world.js';

export interface Receivers {
  /** Dies and comes back as its world's plays say. */
  readonly led: Receiver;
  /** Dies and comes back by itself. */
  readonly moody: Receiver;
}

/** The worlds that are played in, by the end of their keys. Those that wait much are reset, since their journals would take minutes to be full. */
export function plansOf({ led, moody }: Receivers): Readonly<Record<string, WorldPlan>> {
  const shop = [...CHARGE_PLAYS, ...STORED_PLAYS];
  const real = [...shop, ...STORED_PLAYS, webhookCharge(moody), webhookCharge(moody)];
  const timed = [...TIMED_PLAYS, ...TIMED_PLAYS, ...CHARGE_PLAYS];
  const inRealTime = (player: Player): Promise<unknown> =>
    player.ask('PUT /_sandbox/clock', { Mode: 'real' });
  const withFaults = (player: Player): Promise<unknown> =>
    player.ask('PUT /_sandbox/scenario', { Definition: FAULTS });
  return {
    shop_1: { plays: shop, renewed: 'restored' },
    shop_2: { plays: shop, renewed: 'restored' },
    shop_3: { plays: shop, renewed: 'reset' },
    real_1: { plays: real, renewed: 'restored', prepare: inRealTime },
    real_2: { plays: real, renewed: 'restored', prepare: inRealTime },
    real_3: { plays: real, renewed: 'reset', prepare: inRealTime },
    timed_1: { plays: timed, renewed: 'restored' },
    timed_2: { plays: timed, renewed: 'reset' },
    spelt_1: { plays: [spellingPlay()], renewed: 'never' },
    spelt_2: { plays: [spellingPlay()], renewed: 'never' },
    told: { plays: webhookPlays(led), renewed: 'reset' },
    broken_1: { plays: BROKEN_PLAYS, renewed: 'reset', prepare: withFaults },
    broken_2: { plays: BROKEN_PLAYS, renewed: 'reset', prepare: withFaults },
    broken_3: { plays: BROKEN_PLAYS, renewed: 'reset', prepare: withFaults },
    wrong: { plays: WRONG_PLAYS, renewed: 'never' },
    kept: { plays: SNAPSHOT_PLAYS, renewed: 'reset' },
    live: { plays: LIVE_PLAYS, renewed: 'reset' },
  };
}

/** The secret key of a world. */
export const keyOf = (name: string): string => `sk_test_soak_${name}`;
