import { expect, test } from 'vitest';

import { createInnerSandbox } from '../../../src/app/sandbox.js';
import { NODE_HOST } from '../../../src/node/machine/host.js';

test('A function for deliveries replaces only what delivers.', () => {
  const { host } = createInnerSandbox(NODE_HOST, { deliver: async () => {} }).worlds;
  const lost = Object.keys(NODE_HOST).filter((name) => !(name in host));
  expect(lost).toEqual(['prepareDelivery']);
});
