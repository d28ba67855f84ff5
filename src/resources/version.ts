import * as z from 'zod';

import { instant } from '../http/answers/answers.js';
import { requireWorld } from '../http/exchange.js';
import { type AnyRow, route } from '../http/route.js';
import { VERSION } from '../core/version.js';

/** The release date and the region: our assumption, because playmoney is no installation of the service. */
export const RELEASED = '2026-01-01T00:00:00.000Z';
export const REGION = 'au';

const VersionResponse = z.lazy(() =>
  z.strictObject({ Version: z.string(), Released: instant(), Region: z.string() }),
);

export const VERSION_ROWS: readonly AnyRow[] = [
  route({
    method: 'get',
    path: '/version',
    id: 'getVersion',
    operation: 'version.read',
    summary: 'Read the version of the service',
    text: 'Returns the version of playmoney, with a fixed date and region.',
    response: VersionResponse,
    handle: (c) => {
      requireWorld(c);
      return { Version: VERSION, Released: RELEASED, Region: REGION };
    },
  }),
];
