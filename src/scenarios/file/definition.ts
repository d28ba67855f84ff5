import * as z from 'zod';

import { cardScheme } from '../../core/cards/card-scheme.js';
import { iinOf, maskPan, parsePan } from '../../core/cards/card.js';
import { isTestCard } from '../../outcomes/magic.js';
import type { Rule } from '../script/rule.js';
import { missingInCalls, neededBy } from '../vet/testable.js';
import { type Scenario, ScenarioFile } from './schema.js';
import type { SeedData } from '../seed/seed-data.js';

const Definition = ScenarioFile.omit({ keys: true });

/** Includes card numbers and Ccvs. */
export const WHOLE = { isWhole: true };

/**
 * The content of a scenario's file, which `readSavedScenario` can read. Keys are left out, because they are secrets of this server.
 * Unless it is `WHOLE`, `PUT /_sandbox/scenario` accepts it: card numbers of rules become masks, which match them as patterns, and each Ccv is replaced.
 */
export function definitionOf(scenario: Scenario, { isWhole = false } = {}): object {
  const { keys: _, ...known } = isWhole ? scenario : forAnswers(scenario);
  const file = z.encode(Definition, known);
  const rules = file.rules?.map((rule) => ({ ...rule, when: ordered('when', rule.when as object) }));
  const seedData = file.seedData && Object.fromEntries(Object.entries(file.seedData).map(orderedRecords));
  return JSON.parse(JSON.stringify({ ...file, seedData, rules }, withoutEmpty)) as object;
}

/** These fields come last. The others are in the order of the schema. */
const LAST: Readonly<Record<string, readonly string[]>> = {
  when: ['card', 'amount'],
  customers: ['address'],
  paymentMethods: ['provider', 'cardNumber', 'expiryDate'],
  tokens: ['provider', 'cardNumber', 'expiryDate', 'ccv', 'expires'],
  charges: 'amount currency status refunded paymentMethodId provider cardNumber expiryDate cardholder'.split(
    ' ',
  ),
};

function ordered(what: string, fields: object = {}): object {
  const last = LAST[what] ?? [];
  const placeOf = ([name]: [string, unknown]): number => last.indexOf(name);
  return Object.fromEntries(Object.entries(fields).toSorted((a, b) => placeOf(a) - placeOf(b)));
}

function orderedRecords([name, value]: [string, unknown]): [string, unknown] {
  return [name, Array.isArray(value) ? value.map((record: object) => ordered(name, record)) : value];
}

/** A pattern of operations has become a list, in which those whose calls never match would be refused. */
function ableOperations({ when }: Rule): Rule['when']['operation'] {
  const needed = neededBy(when);
  const able = when.operation?.filter((one) => missingInCalls([one], needed).length === 0);
  return able?.length === 0 ? when.operation : able;
}

function withoutEmpty(name: string, value: unknown): unknown {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isEmpty && name !== 'rules' && name !== 'timeline' ? undefined : value;
}

function forAnswers({ rules, seedData, ...rest }: Scenario): Scenario {
  return {
    ...rest,
    rules: rules.map((rule) => ({
      ...rule,
      when: { ...rule.when, operation: ableOperations(rule), card: rule.when.card?.map(withoutPan) },
    })),
    seedData: seedData && withoutCcvs(seedData),
  };
}

function withoutPan(pattern: string): string {
  const bounds = pattern.split('-');
  // A range whose bounds are card numbers becomes that of their first six digits.
  if (bounds.length === 2)
    return bounds.some((bound) => withoutPan(bound) !== bound) ? bounds.map(iinOf).join('-') : pattern;
  const { pan } = parsePan(pattern);
  return pan === undefined || isTestCard(pan) ? pattern : maskPan(pan);
}

/** Replaces each Ccv by the usual one of the scheme. The card numbers are published test cards, so they stay. */
function withoutCcvs(data: SeedData): SeedData {
  const withoutCcv = <T extends { ccv: string | null; cardNumber: string }>(record: T): T => ({
    ...record,
    ccv: record.ccv && (cardScheme(record.cardNumber) === 'AMEX' ? '1234' : '123'),
  });
  return { ...data, vault: data.vault.map(withoutCcv), tokens: data.tokens.map(withoutCcv) };
}
