import { describe, expect, test } from 'vitest';

import {
  ALL_FEATURES,
  type ProviderAccount,
  type ConfiguredProvider,
  DEFAULT_CURRENCY,
  PROVIDER_NAME,
  ProviderStore,
} from '../../../src/records/provider.js';
import { tableIds } from '../../support/tables.js';

const ID = 'abcdef0123456789abcdef0123456789';
const OTHER = '0123456789abcdef0123456789abcdef';

const brought = (providerId: string, name = 'primary') => ({ providerId, name }) as ProviderAccount;

const configured = (index: number, providerId: string, more: Partial<ConfiguredProvider> = {}) =>
  ({ id: providerId, index, providerId, dateRemoved: null, scripted: false, ...more }) as ConfiguredProvider;

function storeOf(...providers: ConfiguredProvider[]): ProviderStore {
  const store = new ProviderStore(tableIds('provider'), 10, {});
  for (const provider of providers) store.add(provider);
  return store;
}

describe('the configured providers of a world', () => {
  test('are found by any spelling of their identifiers', () => {
    const store = storeOf(configured(0, ID), configured(1, OTHER));
    const spellings = [ID, ID.toUpperCase(), 'ABCDEF01-2345-6789-abcd-ef0123456789'];
    expect(spellings.map((id) => store.findByProviderId(id)?.index)).toEqual([0, 0, 0]);
    expect([store.findByProviderId(OTHER)?.index, store.findByProviderId('f'.repeat(32))]).toEqual([1, null]);
  });

  test('are empty when none is configured', () => {
    expect(storeOf().findByProviderId(ID)).toBeNull();
  });

  test('keep the identifier that they were configured with; others have the computed one', () => {
    const store = storeOf(configured(0, ID));
    expect([store.find(ID)?.id, store.nextId]).toEqual([ID, tableIds('provider').at(1)]);
  });

  test('that were marked as removed are found by their identifier, and listed no more', () => {
    const store = storeOf(configured(0, ID), configured(1, OTHER, { dateRemoved: 5 }));
    expect(store.findByProviderId(OTHER)?.index).toBe(1);
    expect([...store.listConfigured()].map(({ index }) => index)).toEqual([0]);
  });

  test('that were taken out are gone', () => {
    const store = storeOf(configured(0, ID), configured(1, OTHER));
    store.remove(configured(0, ID));
    expect([store.findByProviderId(ID), store.findByProviderId(OTHER)?.index, store.size]).toEqual([
      null,
      1,
      1,
    ]);
    expect([...store.listConfigured()].map(({ index }) => index)).toEqual([1]);
  });

  test('of a scenario replace those of the scenario before, and no others', () => {
    const store = storeOf(configured(0, ID));
    store.replaceScripted([brought(OTHER)], 100);
    expect(store.findByProviderId(OTHER)).toEqual({
      ...brought(OTHER),
      id: OTHER,
      index: 1,
      dateAdded: 100,
      dateRemoved: null,
      scripted: true,
    });
    store.replaceScripted([brought(OTHER, 'secondary'), brought('f'.repeat(32))], 200);
    expect(store.findByProviderId(OTHER)).toMatchObject({ index: 2, name: 'secondary', dateAdded: 200 });
    expect([...store.listConfigured()].map(({ index }) => index)).toEqual([0, 2, 3]);
    store.replaceScripted([], 300);
    expect([...store.listConfigured()].map(({ index }) => index)).toEqual([0]);
    expect([store.findByProviderId(OTHER), store.findByProviderId(ID)?.index]).toEqual([null, 0]);
  });
});

test.each([
  ['primary', true],
  ['~ a b !', true],
  ['x'.repeat(64), true],
  ['', false],
  ['x'.repeat(65), false],
  ['caf\u00e9', false],
  ['a\tb', false],
  ['a\u007f', false],
])('whether %j may be the name of a provider in a scenario: %j', (name, isOne) => {
  expect(PROVIDER_NAME.test(name)).toBe(isOne);
});

test('a provider that nobody configured is able to do everything, in Australian dollars', () => {
  expect(ALL_FEATURES).toEqual({ authorise: true, partialCapture: true, partialRefund: true });
  expect(DEFAULT_CURRENCY).toBe('AUD');
});
