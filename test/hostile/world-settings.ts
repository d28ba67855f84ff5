import { ADMIN, bad, CCV, GUARDED, PAN, post, row, type Rows, taken } from './row.js';

const reset = (body: object, ...headers: string[]): string => post('/_sandbox/reset', body, ...headers);
const settings = (Settings: unknown): string => reset({ Settings });
const asAdmin = (Settings: object): string => reset({ Settings }, `x-sandbox-admin: ${ADMIN}`);
const clock = (Clock: unknown): string => reset({ Clock });

/** What a reset must not do to its world, nor to the server. */
export const WORLD_SETTINGS: Rows = {
  'a name of an object': row(reset({ Name: {} }), bad('Name must be a string, not an object')),
  'a name with a card number': row(
    reset({ Name: `pays with ${PAN}` }),
    taken('"Name":"pays with 4929********1236"'),
  ),
  'settings of a list': row(settings([]), bad('Settings must be an object, not an array')),
  'a setting of the server': row(settings({ AdminToken: 'x' }), bad('Unknown field "Settings.AdminToken"')),
  'a duration without end': row(settings({ TokenTtl: '1e99d' }), bad('Settings.TokenTtl is "1e99d"')),
  'a duration below zero': row(settings({ CcvTtl: '-1s' }), bad('Settings.CcvTtl is "-1s"')),
  'a prefix with a line break': row(
    settings({ WebhookHeaderPrefix: 'X-A\r\nX-B: ' }),
    bad('Settings.WebhookHeaderPrefix is', 'a header prefix of 1 to 64'),
  ),
  'a secret of an object': row(
    settings({ WebhookSecret: { Ccv: CCV } }),
    bad('Settings.WebhookSecret is an object; it must be a non-empty text'),
  ),
  'other cards than test cards where those alone are accepted': row(
    asAdmin({ TestCardsOnly: false }),
    bad('Settings.TestCardsOnly is false; it must be true'),
    GUARDED,
  ),
  'a clock after the last instant': row(
    clock({ Mode: 'manual', Now: '10000-01-01T00:00:00Z' }),
    bad('Clock.Now must be a date-time'),
  ),
  'a clock that runs without end': row(clock({ Mode: 'scaled', Rate: 1e300 }), bad('Clock.Rate must be')),
};
