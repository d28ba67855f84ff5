import { ANSWERS } from './answers.js';
import { AUTHORISATIONS } from './authorisations.js';
import { BESIDE } from './beside.js';
import type { BuggyShop, Shop } from './client.js';
import { CRASHES, RESUMING } from './crashes.js';
import { DIRECT } from './correct-direct.js';
import { LATER } from './correct-later.js';
import { CLAIMS, RACES } from './races.js';
import { RECURRING } from './recurring.js';
import { REFUNDS } from './refunds.js';
import { RETRIES } from './retries.js';
import { WEBHOOKS } from './webhooks.js';

/** Shops with one bug each, rebuilt from classes of public bug reports. */
export const BUGGY: readonly BuggyShop[] = [
  ...RETRIES,
  ...ANSWERS,
  ...AUTHORISATIONS,
  ...REFUNDS,
  ...WEBHOOKS,
  ...RECURRING,
  ...BESIDE.map(({ buggy }) => buggy),
  ...CRASHES,
  ...RACES,
];

/** Shops that no single failure, and no second failure during the recovery, makes lose money. */
export const CORRECT: readonly Shop[] = [
  ...DIRECT,
  ...LATER,
  ...BESIDE.map(({ correct }) => correct),
  ...RESUMING,
  ...CLAIMS,
];
