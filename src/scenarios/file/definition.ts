import * as z from 'zod';

import { findCardScheme } from '../../core/cards/card-scheme.js';
import { iinOf, maskPan, parsePan } from '../../core/cards/card.js';
import { isTestCard } from '../../outcomes/magic.js';
import type { Rule } from '../script/rule.js';
import { missingInCalls, listNeeded } from '../vet/testable.js';
import { type Scenario, ScenarioFile } from './schema.js';
import type { SeedRecords } from '../seed/seed-data.js';

const Definition = ScenarioFile.omit({ keys: true });

/** Includes card numbers and Ccvs. */
export const WHOLE = { isWhole: true };

/**
 * The content of a scenario's file, which `readSavedScenario` can read. Keys are left out, because they are secrets of this server.
 * Unless it is `WHOLE`, `PUT /_sandbox/scenario` accepts it: card numbers of rules become masks, which match them as patterns, and each Ccv is replaced.
 */
export function toDefinition(scenario: Scenario, { isWhole = false } = {}): object {
  const { keys: _, ...known } = isWhole ? scenario : maskForAnswers(scenario);
  const file = z.encode(Definition, known);
  const rules = file.rules?.map((rule) => ({ ...rule, when: orderFields('when', rule.when as object) }));
  const seedData = file.seedData && Object.fromEntries(Object.entries(file.seedData).map(orderRecords));
  return JSON.parse(JSON.stringify({ ...file, seedData, rules }, withoutEmpty)) as object;
}

/** The fields that come last in a file. All others are in the order of the schema. */
const LAST: Readonly<Record<string, readonly string[]>> = {
  when: ['card', 'amount'],
  customers: ['address'],
  paymentMethods: ['provider', 'cardNumber', 'expiryDate'],
  tokens: ['provider', 'cardNumber', 'expiryDate', 'ccv', 'expires'],
  charges: 'amount currency status refunded paymentMethodId provider cardNumber expiryDate cardholder'.split(
    ' ',
  ),
};

function orderFields(noun: string, fields: object = {}): object {
  const last = LAST[noun] ?? [];
  const placeOf = ([name]: [string, unknown]): number => last.indexOf(name);
  return Object.fromEntries(Object.entries(fields).toSorted((a, b) => placeOf(a) - placeOf(b)));
}

function orderRecords([name, value]: [string, unknown]): [string, unknown] {
  return [name, Array.isArray(value) ? value.map((record: object) => orderFields(name, record)) : value];
}

/** A pattern of operations has become a list, in which those whose calls never match would be refused. */
function matchableOperations({ when }: Rule): Rule['when']['operation'] {
  const needed = listNeeded(when);
  const able = when.operation?.filter((operation) => missingInCalls([operation], needed).length === 0);
  return able?.length === 0 ? when.operation : able;
}

function withoutEmpty(name: string, value: unknown): unknown {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isEmpty && name !== 'rules' && name !== 'timeline' ? undefined : value;
}

function maskForAnswers({ rules, seedData, ...rest }: Scenario): Scenario {
  return {
    ...rest,
    rules: rules.map((rule) => ({
      ...rule,
      when: { ...rule.when, operation: matchableOperations(rule), card: rule.when.card?.map(maskPanPattern) },
    })),
    seedData: seedData && replaceCcvs(seedData),
  };
}

function maskPanPattern(pattern: string): string {
  const bounds = pattern.split('-');
  // A range whose bounds are card numbers becomes that of their first six digits.
  if (bounds.length === 2)
    return bounds.some((bound) => maskPanPattern(bound) !== bound) ? bounds.map(iinOf).join('-') : pattern;
  const { pan } = parsePan(pattern);
  return pan === undefined || isTestCard(pan) ? pattern : maskPan(pan);
}

/** Replaces each Ccv by the usual one of the scheme. The card numbers are published test cards, so they stay. */
function replaceCcvs(data: SeedRecords): SeedRecords {
  const withoutCcv = <T extends { ccv: string | null; cardNumber: string }>(record: T): T => ({
    ...record,
    ccv: record.ccv && (findCardScheme(record.cardNumber) === 'AMEX' ? '1234' : '123'),
  });
  return { ...data, vault: data.vault.map(withoutCcv), tokens: data.tokens.map(withoutCcv) };
}
