import { describe, expect, test } from 'vitest';

import { maskPasswords, maskReport, maskSecrets } from '../../../src/core/text/secrets.js';
import { cells } from '../../support/tables.js';

describe('the password of a URL', () => {
  test.each([
    ['http://jo:s3cret@host/', 'http://jo:***@host/'],
    ['see HTTPS://jo:s3cret@host:8080/a?b=c#d here', 'see HTTPS://jo:***@host:8080/a?b=c#d here'],
    ['http://:s3cret@host/', 'http://:***@host/'],
    ['http://jo:s3:cr@et@host/', 'http://jo:***@host/'],
    ['http://a@b:s3cret@host/', 'http://a@b:***@host/'],
    ['http:jo:s3cret@host/', 'http:jo:***@host/'],
    ['http:\\\\jo:s3cret@host/', 'http:\\\\jo:***@host/'],
    ['http://jo:a s3cret@host/', 'http://jo:***@host/'],
    ['http://http://jo:s3cret@host/', 'http://http://jo:***@host/'],
    ['see http://host:80 or http:jo:s3cret@host', 'see http://host:***@host'],
    ['http://jo:s3cret@a/ http://jo:s3cret@b/', 'http://jo:***@a/ http://jo:***@b/'],
  ])('is masked in %s', (text, masked) => {
    expect(maskPasswords(text)).toBe(masked);
    expect(maskSecrets(text)).toBe(masked);
  });

  test.each([
    ['{"Url":"http:\\/\\/jo:s3cret@host\\/"}', '{"Url":"http:\\/\\/jo:***@host\\/"}'],
    [
      '{"Url":"http:\\u002F\\u002fjo\\u003As3cret\\u0040host"}',
      '{"Url":"http:\\u002F\\u002fjo:***\\u0040host"}',
    ],
    ['{"Url":"http://jo:s\\"3cret@host"}', '{"Url":"http://jo:***@host"}'],
    ['{"Url":"http://jo:\\u0073\\t3cret@host"}', '{"Url":"http://jo:***@host"}'],
  ])('is masked as JSON spells it: %s', (text, masked) => {
    expect(maskPasswords(text)).toBe(masked);
    expect(JSON.parse(masked)).toHaveProperty('Url');
  });

  test.each([
    'http:',
    'http:a:',
    'http:a:b@/',
    'http:/',
    'u002f',
    '/',
    String.raw`\\/`,
    'a',
    String.raw`\\n`,
  ])('is looked for in linear time among many of %j', (piece) => {
    const text = `@http:${piece.repeat(1_000_000 / piece.length)}`;
    // By the square this takes longer than any test may.
    expect(maskPasswords(text).length).toBeGreaterThan(0);
  });

  test.each(cells`
    http://host:8080/a@b|http://host/?mail=a:b@c|http://token@host/|mailto:jo@host|jo: a@b|
    {"Url":"http://host:8080","Email":"jo@host"}
  `)('is not seen in %s', (text) => {
    expect(maskPasswords(text)).toBe(text);
  });
});

describe('a report of the program about itself', () => {
  test.each([
    ['card 4539578763621486', 'card 4539********1486'],
    ['"sk_live_4f9a8b7c"', '"sk_***"'],
    ['{"Ccv":"847","A":1}', '{"Ccv":"***","A":1}'],
    ['{\\"SecurityCode\\": 847}', '{\\"SecurityCode\\": ***}'],
    ['Cvc=847&x=1', 'Cvc=***&x=1'],
    ['Authorization: Bearer a.b.c', 'Authorization: Bearer ***'],
    ['authorization: bearer abc', 'authorization: bearer ***'],
    ['x-sandbox-admin: t0ken', 'x-sandbox-admin: ***'],
    ['"apiKey":"a1b2", "access_token":"c3d4"', '"apiKey":"***", "access_token":"***"'],
    ['at secretOf (auth.ts:1:2)', 'at secretOf (auth.ts:1:2)'],
    ['password: hunter2 at line 5', 'password: *** at line 5'],
    ['PLAYMONEY_SECRET=abc', 'PLAYMONEY_SECRET=***'],
    [
      'This server has an admin token: send it in the header x-sandbox-admin.',
      'This server has an admin token: send it in the header x-sandbox-admin.',
    ],
    ['the secret key: use another one', 'the secret key: use another one'],
  ])('%s is printed as %s', (text, masked) => {
    expect(maskReport(text)).toBe(masked);
  });
});

describe('secret fields in a text', () => {
  const json = '{"Ccv":"847","CardNumber":"4242424242424242","secretKey":"a b, c"}';
  const masked = '{"Ccv":"***","CardNumber":"4242********4242","secretKey":"***"}';

  test.each([
    ['JSON', json, masked],
    ['JSON in JSON', JSON.stringify({ a: json }), JSON.stringify({ a: masked })],
    [
      'JSON in JSON in JSON',
      JSON.stringify({ b: JSON.stringify({ a: json }) }),
      JSON.stringify({ b: JSON.stringify({ a: masked }) }),
    ],
    ['JSON with blanks', '{ "Ccv" : "847" }', '{ "Ccv" : "***" }'],
    ['a number', '{"Ccv":847,"a":1}', '{"Ccv":***,"a":1}'],
    ['a list', '{"Cvv":["847"]}', '{"Cvv":["***"]}'],
    [
      'an object',
      '{"paymentInformation":{"type":"CARD","Ccv":"847"}}',
      '{"paymentInformation":{"type":"CARD","Ccv":"***"}}',
    ],
    [
      'an encoded object',
      encodeURIComponent('{"paymentInformation":{"Ccv":"847"}}'),
      encodeURIComponent('{"paymentInformation":{"Ccv":"***"}}'),
    ],
    ['a brace', 'password={hunter2&a=1', 'password=***&a=1'],
    ['JSON that breaks off', 'body: {"a":1,"Password":"x y z', 'body: {"a":1,"Password":"***'],
    ['a quote in a value', String.raw`{"Password":"x\"y","a":1}`, '{"Password":"***","a":1}'],
    [
      'escaped quotes',
      String.raw`{\u0022Ccv\u0022:\u0022847\u0022}`,
      String.raw`{\u0022Ccv\u0022:\u0022***\u0022}`,
    ],
    ['an object of JavaScript', "{ ccv: '847', apiKey: 'a1' }", "{ ccv: '***', apiKey: '***' }"],
    ['YAML', 'cvc: 847\namount: 5', 'cvc: ***\namount: 5'],
    ['a query', 'a=1&Ccv=847&api_key=x%2Fy&b=2', 'a=1&Ccv=***&api_key=***&b=2'],
    ['a query of PHP', 'card[ccv]=847&card%5Bcvc%5D=847', 'card[ccv]=***&card%5Bcvc%5D=***'],
    ['an address', 'https://shop.test/pay?next=/x?cvv=847#top', 'https://shop.test/pay?next=/x?cvv=***'],
    ['an encoded query', 'next=%2Fpay%3Fccv%3D847%26a%3D1', 'next=%2Fpay%3Fccv%3D***%26a%3D1'],
    ['a query encoded twice', 'n=%253Fccv%253D847%2526a', 'n=%253Fccv%253D***%2526a'],
    ['encoded JSON', encodeURIComponent(json), encodeURIComponent(masked)],
    ['a header', 'x-debug: Authorization: Bearer a.b', 'x-debug: Authorization: Bearer ***'],
  ])('are masked in %s', (_, text, shown) => {
    expect(maskSecrets(text)).toBe(shown);
  });

  test.each([
    'admin token: send it in the header',
    '{"HasCcv":true,"password":null,"Ccv":"***"}',
    'https://localhost:8080/secret/path',
    '2026-01-01T00:00:00.000Z',
    'a=1&b=2',
    'The Ccv must have three digits.',
    'the password: forgotten',
  ])('are not seen in %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test.each(['a ', 'a=', '"', '\\\\', '%22', 'ccv="', 'ccv:', 'a.b ', ' ', 'ccv', '\\n'])(
    'are looked for in linear time among many of %j',
    (piece) => {
      const text = `="${piece.repeat(200_000 / piece.length)}`;
      // By the square this takes longer than any test may.
      expect(maskSecrets(text).length).toBeGreaterThan(0);
    },
  );
});
