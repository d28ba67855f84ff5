import * as z from 'zod';

import { ELEMENTS_MAX } from '../../core/json/json.js';
import { parseAmount, UNIT_DECIMALS } from '../../core/money.js';
import { ValidationError } from '../../core/validation-error.js';
import * as answers from '../../http/answers/answers.js';
import { AMOUNT_SENT } from '../../http/body/sent-schemas.js';
import {
  digitsField,
  optionalField,
  convertField,
  toCamelCase,
  requestSchema,
} from '../../http/fields/field.js';
import { AMOUNT_META, toAmountError, requiredCurrency } from '../../http/fields/amount-fields.js';
import { optionalText } from '../../http/fields/fields.js';
import { CHARGE_STATUSES } from '../../records/charge.js';
import { FINDING_KINDS } from './judgement.js';

/** Reads an amount that may be 0. */
function readSum(value: string | number): string | ValidationError {
  const given = String(value);
  const minor = parseAmount(given, UNIT_DECIMALS);
  if (typeof minor === 'number') return given;
  if (minor !== 'not-positive') return toAmountError(minor, given);
  return Number(given) === 0 ? '0' : new ValidationError(`is ${given}; it must not be negative`);
}

const { exclusiveMinimum, ...AMOUNT } = AMOUNT_SENT;
const SUM = { ...AMOUNT, minimum: exclusiveMinimum };

const sumField = () =>
  convertField(digitsField(), readSum).meta({ ...AMOUNT_META, otherCodes: [], sent: SUM });

const orderField = () =>
  z.object({
    Reference: optionalText().describe('The reference of its charges.'),
    Amount: sumField().describe('In major units, such as 15.50.'),
    Currency: optionalField(requiredCurrency()).describe(
      'An ISO 4217 code, in any letter case. Default: the currency of the charges with its Reference if they have only one, otherwise AUD.',
    ),
    Paid: z.boolean().nullable().meta({
      missing: 'is required: true, false, or null if the shop does not know',
      description: 'Whether the shop believes that it is paid; null if it does not know.',
      keepsNull: true,
    }),
    // Null could mean that the shop does not know, which is no amount of 0.
    Refunded: sumField().optional().meta({
      description:
        'How much of a paid order the shop believes it refunded. Default: 0. Null is refused: if the shop does not know, Paid is null.',
      keepsNull: true,
    }),
  });

export const Reconcile = requestSchema(
  () => ({
    Orders: z.array(orderField()).max(ELEMENTS_MAX).meta({
      missing: 'is required, for example [{"Reference": "order-1", "Amount": 15.5, "Paid": true}]',
      description: 'All orders of the shop.',
      'x-server-checks': 'Refunded must not be more than Amount.',
    }),
  }),
  ({ Orders }) => Orders.map((order) => toCamelCase(order)),
);
export type OrderInput = z.output<typeof Reconcile>[number];

const totalFields = () => ({
  Reference: answers.text().describe('Null for orders and charges without one.'),
  Currency: answers.currency(),
  Ordered: answers.maybeAmount().describe('The sum of the orders; null if there is none.'),
  Expected: answers
    .maybeAmount()
    .describe('What the shop believes is left: 0 for an unpaid order; null if it does not know.'),
  Captured: answers.amount(),
  Refunded: answers.amount(),
  Left: answers.amount('Captured less Refunded.'),
});

export const ReconcileResponse = answers.object(() => ({
  Balanced: z.boolean().describe('Whether there are no findings.'),
  Count: answers.count().describe('The number of findings.'),
  Findings: z
    .array(
      z.strictObject({
        Kind: z.enum(FINDING_KINDS),
        Message: z.string().describe('The finding as a sentence.'),
        ...totalFields(),
        Charges: z
          .array(
            z.strictObject({
              ChargeId: answers.id(),
              Status: z.enum(CHARGE_STATUSES),
              Amount: answers.amount(),
              Refunded: answers.amount(),
              EntryId: answers
                .count()
                .nullable()
                .describe('The call of the journal that created it; null if the journal does not have it.'),
            }),
          )
          .describe('The charges to look at: the first 20.'),
      }),
    )
    .describe('What does not agree, the worst first: the first 10,000.'),
  Totals: z
    .array(z.strictObject(totalFields()))
    .describe('One for each reference and currency, those with orders first: the first 10,000.'),
}));
export type ReconcileResponse = z.output<typeof ReconcileResponse>;
