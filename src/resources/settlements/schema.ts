import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { parseInstant } from '../../core/time/time.js';
import { optionalField, refuseValue, requestSchema, convertText } from '../../http/fields/field.js';
import type { SettlementDays } from './service.js';

/** The start of a day such as 2026-01-31, by UTC. */
const readDay = (text: string): number | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;

const dayField = () =>
  convertText(readDay, 'must be a day such as 2026-01-31').meta({ sample: '2026-01-31', format: 'date' });

export const SettlementsQuery = requestSchema(
  () => ({
    StartDate: dayField().describe('The first day.'),
    EndDate: optionalField(dayField()).describe('The last day. Default: today.'),
  }),
  ({ StartDate, EndDate }, context): SettlementDays => {
    if (EndDate === null || EndDate >= StartDate) return { first: StartDate, last: EndDate };
    return refuseValue(context, 'is before StartDate', { path: ['EndDate'] });
  },
);

export const SettlementResponse = answers.component('Settlement', () => ({
  SettlementId: answers.id(),
  SettlementDate: answers.instant(),
  CreatedDate: answers.instant(),
  ProviderId: answers.providerId(),
  ProviderName: z.string(),
  ChargeId: answers.id(),
  Amount: answers.amount(),
}));
export type SettlementResponse = z.output<typeof SettlementResponse>;

export const SettlementList = z.lazy(() => z.array(SettlementResponse));
