import { expect, test } from 'vitest';

import { SUBSCRIPTION_TRANSITIONS } from '../../../src/records/subscription.js';

test('a subscription is suspended and resumed, and stays as it ended', () => {
  expect(SUBSCRIPTION_TRANSITIONS).toEqual({
    Active: ['Suspended', 'Cancelled', 'Complete'],
    Suspended: ['Active', 'Cancelled', 'Complete'],
    Cancelled: [],
    Complete: [],
  });
});
