import { expect, test } from 'vitest';

import { ValidationError } from '../../src/core/validation-error.js';

test('a refusal says what is wrong, and what is accepted where that is known', () => {
  const { message, received, accepted } = new ValidationError("is 'x'", {
    received: "'x'",
    accepted: 'a number',
  });
  expect([message, received, accepted]).toEqual(["is 'x'; it takes a number", "'x'", 'a number']);
  expect(new ValidationError('is longer than 5 characters')).toMatchObject({
    message: 'is longer than 5 characters',
    received: null,
    accepted: null,
    isOtherKind: false,
  });
});
