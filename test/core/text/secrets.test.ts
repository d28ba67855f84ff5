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
    ['x-sandbox-admin: t0ken', 'x-sandbox-admin: ***'],
    ['"apiKey":"a1b2", "access_token":"c3d4"', '"apiKey":"***", "access_token":"***"'],
    ['at secretOf (auth.ts:1:2)', 'at secretOf (auth.ts:1:2)'],
  ])('%s is printed as %s', (text, masked) => {
    expect(maskReport(text)).toBe(masked);
  });
});
