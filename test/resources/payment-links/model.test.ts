import { expect, test } from 'vitest';

import { IMAGES_LENGTH_MAX, type PaymentLink, PaymentLinkStore } from '../../../src/records/payment-link.js';
import { tableIds } from '../../support/tables.js';

test('the images of all links of a world are counted together, and links without one count nothing', () => {
  const store = new PaymentLinkStore(tableIds(), 10, {});
  const add = (image: string | null) => store.add({ image } as PaymentLink);
  expect(store.imagesLength).toBe(0);
  for (const image of ['data:image/png;base64,AA==', null, 'data:,x']) add(image);
  expect([store.imagesLength, store.size]).toEqual([26 + 7, 3]);
});

test('all images of a world have 67,108,864 characters at most', () => {
  expect(IMAGES_LENGTH_MAX).toBe(67_108_864);
});
