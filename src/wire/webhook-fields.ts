import * as z from 'zod';

import { Fault, optional, readText, required, type Member } from './fields.js';

/** The members that name a webhook. */

function isPrivateName(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  if (/^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(name)) return true;
  if (/^(?:::1|f[cd][0-9a-f]{2}:.*|fe80:.*)$/i.test(name)) return true;
  return !name.includes('.') || /\.(?:localhost|local|internal|test|svc\.cluster\.local)$/i.test(name);
}

function readWebhookUrl(value: unknown): string | Fault {
  const read = readText(value);
  if (read instanceof Fault) return read;
  const url = URL.canParse(read) ? new URL(read) : null;
  if (url?.protocol === 'https:') return read;
  if (url?.protocol === 'http:' && isPrivateName(url.hostname)) return read;
  return new Fault('must be an absolute https address; http is taken for loopback and private hosts only');
}

const authorization = (): Member<string | null> =>
  optional((value) => {
    const read = readText(value);
    if (read instanceof Fault || !/[\r\n\0]/.test(read)) return read;
    return new Fault('must be text without line breaks');
  });

/** Where to tell of a change: an address and the value of its Authorization header. */
export const optionalWebhook = () =>
  z
    .object({ Url: required(readWebhookUrl, '"https://example.com/hook"'), Authorization: authorization() })
    .optional();
