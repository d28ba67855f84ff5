import { describe, expect } from 'vitest';

import { good, warningOf } from '../../support/sandbox.js';
import { SDK } from '../../support/sdk.js';
import { STEADY } from '../../support/bodies.js';
import { test } from '../../support/tests.js';
import { card, cardCharge } from './support.js';

/** As the Java library sends an order: decimals as texts, and null for what is not set. */
const JAVA_ORDER = {
  orderNumber: '1',
  freightAmount: '0',
  dutyAmount: '1E+2',
  items: [
    {
      productCode: null,
      commodityCode: null,
      description: null,
      quantity: 1,
      unitOfMeasure: null,
      amount: '123',
      taxAmount: '0.50',
    },
  ],
};

const PLACES: [path: string, body: object, headers: Record<string, string>][] = [
  ['/charge/card', cardCharge(), {}],
  ['/token/card', { PaymentInformation: card() }, { providerid: STEADY }],
  ['/token/card/least_cost', { Amount: 5, PaymentInformation: card() }, {}],
];

describe.each(PLACES)('the Order and Geolocation of POST %s', (path, body, headers) => {
  test('are accepted as libraries send them', async ({ api }) => {
    const geolocation = { longitude: 1.5, latitude: -2.0 };
    const more = { order: JAVA_ORDER, geolocation };
    await good(api.post(path, { ...body, ...more }, { ...headers, ...SDK }));
    const Item = { ProductCode: 'x'.repeat(12), Description: 'y'.repeat(26), Quantity: '2', Amount: 1.25 };
    const documented = { Order: { Items: [Item] }, Geolocation: { Longitude: '-180', Latitude: 90 } };
    const answer = await good(api.post(path, { ...body, ...documented }, headers));
    expect(warningOf(answer)).toBeNull();
    await good(api.post(path, { ...body, Order: null, Geolocation: null }, headers));
  });

  test.for<[field: string, more: object, reason: RegExp]>([
    ['Order', { Order: [] }, /must be an object, not an array/],
    ['Order.OrderNumber', { Order: { OrderNumber: 1 } }, /must be a string/],
    ['Order.FreightAmount', { Order: { FreightAmount: 'free' } }, /decimal number of 0 or more/],
    ['Order.DutyAmount', { Order: { DutyAmount: -1 } }, /decimal number of 0 or more/],
    ['Order.Items', { Order: { Items: {} } }, /array/],
    ['Order.Items.0', { Order: { Items: [1] } }, /must be an object/],
    ['Order.Items.0.ProductCode', { Order: { Items: [{ ProductCode: 'x'.repeat(13) }] } }, /12/],
    ['Order.Items.1.Description', { Order: { Items: [{}, { Description: 'x'.repeat(27) }] } }, /26/],
    ['Order.Items.0.Quantity', { Order: { Items: [{ Quantity: 1.5 }] } }, /whole number/],
    ['Order.Items.0.TaxAmount', { Order: { Items: [{ TaxAmount: '1,50' }] } }, /decimal number/],
    ['Geolocation', { Geolocation: '1,2' }, /must be an object/],
    ['Geolocation.Latitude', { Geolocation: { Latitude: 90.01 } }, /from -90 to 90/],
    ['Geolocation.Longitude', { Geolocation: { Longitude: 'east' } }, /from -180 to 180/],
    ['Geolocation.Longitude', { Geolocation: { Longitude: ' ' } }, /from -180 to 180/],
  ])('are refused for %s: %j', async ([field, more, reason], { api }) => {
    for (const dialect of [{}, SDK]) {
      const answer = await api.post(path, { ...body, ...more }, { ...headers, ...dialect });
      const { Code, code, Details, details } = answer.body;
      expect([answer.status, Code ?? code]).toEqual([400, 90]);
      expect(Details ?? details).toEqual({ [field]: expect.stringMatching(reason) });
    }
  });

  test('have fields that are warned about if nobody knows them', async ({ api }) => {
    const answer = await good(api.post(path, { ...body, Order: { OrderNumbr: '1' } }, headers));
    expect(warningOf(answer)).toBe('ignored unknown field "Order.OrderNumbr" (did you mean OrderNumber?)');
  });
});
