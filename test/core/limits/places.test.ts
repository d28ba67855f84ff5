import { describe, expect, test } from 'vitest';

import { type DeliveryPlace, DeliveryPlaces } from '../../../src/core/limits/places.js';

/** Places, and what got one in this order, such as `a1`: the first request of the world a. */
function setup() {
  const places = new DeliveryPlaces();
  const worlds = new Map<string, object>();
  const entered: { readonly name: string; readonly place: DeliveryPlace }[] = [];
  const request = (world: string, count: number, isSlow = false, receiver = `http://${world}`): void => {
    const known = worlds.get(world) ?? {};
    worlds.set(world, known);
    for (let n = 1; n <= count; n++) {
      const enter = (place: DeliveryPlace): unknown => entered.push({ name: `${world}${n}`, place });
      places.request({ world: known, receiver, isSlow, enter });
    }
  };
  const forget = (world: string): void => places.forget(worlds.get(world) ?? {});
  return { places, entered, request, forget, names: () => entered.map(({ name }) => name) };
}

describe('places', () => {
  test('are 384 for slow receivers, and 128 for all others', () => {
    const { entered, request } = setup();
    request('hung', 500, true);
    expect(entered).toHaveLength(384);
    request('prompt', 200);
    expect(entered).toHaveLength(384 + 128);
  });

  test('go to worlds in turn, however many requests one of them has', () => {
    const { entered, request, names } = setup();
    request('a', 384 + 3, true);
    request('b', 2, true);
    request('c', 1, true);
    for (let n = 0; n < 6; n++) entered[n]?.place.leave();
    expect(names().slice(384)).toEqual(['a385', 'b1', 'c1', 'a386', 'b2', 'a387']);
  });

  test('of receivers that turn out to be slow are no longer those of the others', () => {
    const { entered, request, names } = setup();
    for (let n = 0; n < 128; n++) request('hung', 1, false, `http://127.0.0.1:${n}`);
    request('prompt', 1);
    expect(names()).not.toContain('prompt1');
    entered[0]?.place.wait();
    expect(names()).toContain('prompt1');
  });

  test('count a receiver as slow in every world while it lets one wait', () => {
    const { entered, request, names } = setup();
    const url = 'http://127.0.0.1:9';
    for (let n = 0; n < 600; n++) request(`w${n}-`, 1, false, url);
    expect(entered).toHaveLength(128);
    for (const { place } of entered.slice()) place.wait();
    // After the first of them, the others of the 128 are known to be slow as well, and 383 more enter.
    expect(entered).toHaveLength(128 + 383);
    request('prompt', 1);
    expect(names().at(-1)).toBe('prompt1');
    for (const { place } of entered.slice(0, 511)) place.leave();
    expect(entered).toHaveLength(601);
  });

  test('are 1,024 in all, even if hundreds of new receivers hang at once', () => {
    const { entered, request } = setup();
    for (let round = 0; round < 10; round++) {
      for (let n = 0; n < 128; n++) request('hung', 1, false, `http://127.0.0.1:${round * 128 + n}`);
      for (const { place } of entered.slice(round * 128)) place.wait();
    }
    expect(entered).toHaveLength(1024);
  });

  test('are not given to a world that has ended', () => {
    const { entered, request, names, forget } = setup();
    request('a', 384, true);
    request('ended', 5, true);
    request('b', 1, true);
    forget('ended');
    entered[0]?.place.leave();
    entered[1]?.place.leave();
    expect(names().slice(384)).toEqual(['b1']);
  });
});
