import fc from 'fast-check';

import { type Body, get, post, put, requireSame } from '../calls.js';
import type { Records } from '../records.js';
import { AUTHORISATION_TTL, DAY, HOUR, SECOND } from '../spec.js';
import { define, refuse, type View } from './kind.js';
import { showInstant } from './rules.js';

/** The tester's hands: clock, snapshot, document, reset. */

/** Those of a second and less end where a batch is half done. */
const STEPS = [100, 1000, 1150, 0, 1, 60 * SECOND - 1, 15 * 60 * SECOND, HOUR + 1, DAY, 3 * DAY, 31 * DAY];

export const advance = define(
  'advance the clock',
  fc.record({ by: fc.constantFrom(...STEPS, AUTHORISATION_TTL, AUTHORISATION_TTL - 1) }),
  (view, { by }) => ({
    call: post('/_sandbox/clock/advance', { By: `${by}ms` }),
    decide: () => ({ decline: null, expect: (after) => requireTimePassed(view, after, view.own.now + by) }),
  }),
);

/** An authorisation ends after seven days, a payment of a bank comes or fails, and nothing else happens to what was charged. */
function requireTimePassed({ own }: View, { now, charges }: Records, to: number): void {
  requireSame('Now', now, to);
  for (const [n, before] of own.charges.entries()) {
    const { Status: status, DateAdded: added, ThreeDSServerTransID: transaction } = before;
    const isUnknown = status === 'PENDING' || (status === 'Authorised' && transaction !== null);
    if (isUnknown) continue;
    const end = Date.parse(String(added)) + AUTHORISATION_TTL;
    const isOver = status === 'Authorised' && end <= to;
    const ended: Body = isOver ? { Status: 'AUTHORISE_CANCELLED', VoidDate: showInstant(end) } : {};
    requireSame(`charge ${n}`, charges[n], { ...before, ...ended });
  }
}

export const turnBack = define(
  'turn the clock back',
  fc.record({ by: fc.constantFrom(1, DAY) }),
  ({ own }, { by }) => ({
    call: post('/_sandbox/clock/advance', { To: showInstant(own.now - by) }),
    decide: () => refuse(400, 90),
  }),
);

const SNAPSHOT = '/_sandbox/snapshots/s';

export const save = define('save a snapshot', fc.constant({}), ({ own, kept }) => ({
  call: put(SNAPSHOT),
  decide: () => ({
    decline: null,
    expect: (after) => {
      requireSame('The world that is saved', after, own);
      kept.saved = after;
    },
  }),
}));

export const restore = define('restore the snapshot', fc.constant({}), ({ kept: { saved } }) => ({
  call: post(`${SNAPSHOT}/restore`),
  decide: () => ({
    decline: null,
    expect: (saved ?? refuse(404, 90)) && ((after) => requireSame('The restored world', after, saved)),
  }),
}));

const STATE = '/_sandbox/state';

export const exportWorld = define('export the world', fc.constant({}), ({ own, kept }) => ({
  call: get(STATE),
  decide: () => ({
    decline: null,
    expect: (_after, _isDeclined, document) => {
      kept.exported = { document, records: own };
    },
  }),
}));

export const importWorld = define('import the world', fc.constant({}), ({ kept: { exported } }) => ({
  call: put(STATE, exported?.document ?? {}),
  decide: () => {
    const { records } = exported ?? refuse(400, 90);
    return { decline: null, expect: (after) => requireSame('The imported world', after, records) };
  },
}));

export const reset = define('reset', fc.constant({}), ({ kept }) => ({
  call: post('/_sandbox/reset'),
  decide: () => ({
    decline: null,
    expect: ({ now: _now, ...after }) => {
      kept.saved = null;
      requireSame('A fresh world', Object.values(after).flat(), []);
    },
  }),
}));
