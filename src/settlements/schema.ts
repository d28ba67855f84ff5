import * as z from 'zod';

import { parseInstant } from '../core/time.js';
import { Fault, type Member, optional, required } from '../http/fields.js';
import type { SettlementDays } from './service.js';

/** The start of a day such as 2026-01-31, by UTC. */
function readDay(value: unknown): number | Fault {
  const text = String(value);
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;
  return instant ?? new Fault('must be a day such as 2026-01-31');
}

const day = (): Member<number> => required(readDay, '2026-01-31');
const optionalDay = (): Member<number | null> => optional(readDay);

export const AskSettlements = z
  .object({ StartDate: day(), EndDate: optionalDay() })
  .transform(({ StartDate, EndDate }, context): SettlementDays => {
    if (EndDate === null || EndDate >= StartDate) return { first: StartDate, last: EndDate };
    context.issues.push({
      code: 'custom',
      message: 'is before StartDate',
      input: EndDate,
      path: ['EndDate'],
    });
    return z.NEVER;
  });
