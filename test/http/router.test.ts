import { describe, expect, test } from 'vitest';

import { PathRouter } from '../../src/http/router.js';

type Handler = Parameters<PathRouter['add']>[2];

/** A router of these paths, each with what it stands for as its handler. */
function routerOf(...routes: readonly (readonly [method: string, path: string])[]) {
  const router = new PathRouter();
  for (const [method, path] of routes) router.add(method, path, [`${method} ${path}`] as unknown as Handler);
  return {
    router,
    find: (method: string, path: string): unknown =>
      router.match(method, path)[0].map(([[name], params]) => [name, params])[0],
  };
}

const { router, find } = routerOf(
  ['POST', '/charge/:id'],
  ['POST', '/charge/card'],
  ['GET', '/charge/:id'],
  ['GET', '/customer/:id/method/:method'],
  ['GET', '/v:version/js/a.js'],
);

describe('a path', () => {
  test.each([
    ['POST', '/charge/card', 'POST /charge/card', {}],
    ['POST', '/charge/c1', 'POST /charge/:id', { id: 'c1' }],
    ['GET', '/charge/a:b', 'GET /charge/:id', { id: 'a:b' }],
    ['GET', '/charge/:id', 'GET /charge/:id', { id: ':id' }],
    ['GET', '/v4.8/js/a.js', 'GET /v:version/js/a.js', { version: '4.8' }],
    ['GET', '/customer/c/method/m', 'GET /customer/:id/method/:method', { id: 'c', method: 'm' }],
  ])('%s %s is answered by the row that says it best', (method, path, name, params) => {
    expect(find(method, path)).toEqual([name, params]);
  });

  test.each([
    ['GET', '/v/js/a.js'],
    ['GET', '/w4/js/a.js'],
    ['GET', '/v4/js/b.js'],
    ['GET', '/charge/card'],
    ['DELETE', '/charge/c1'],
    ['GET', '/charge/'],
    ['GET', '/charge'],
    ['GET', '/customer//method/m'],
    ['GET', '/customer/c/method/m/x'],
    ['GET', '/'],
    ['GET', ''],
  ])('%s %s is answered by none', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});

describe('the methods of a path', () => {
  test.each([
    ['/charge/card', ['POST']],
    ['/charge/c1', ['POST', 'GET', 'HEAD']],
    ['/charge/', undefined],
    ['/nothing', undefined],
  ])('%s: %j', (path, methods) => {
    expect(router.methodsOf(path)).toEqual(methods);
  });
});
