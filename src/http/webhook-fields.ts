import * as z from 'zod';

import type { Webhook } from '../charges/record.js';
import { DEFAULT_DIALECT } from '../core/dialect.js';
import { Fault, optional, readText, required, type Member } from './fields.js';

/** The members that name a webhook. */

/** A header cannot hold it: a control character that is no tab. */
const NO_HEADER = /[^\P{Cc}\t]/u;

/** What a URL parser would put right is not taken: a missing slash, one too many, blanks. */
const WHOLE_ADDRESS = /^https?:\/\/[^\s/\\]\S*$/i;

/** Whether an address of a URL is loopback or private; a stranger may own the name 10.0.0.1.example.com. */
function isPrivateName(host: string): boolean {
  if (host.startsWith('[')) return /^\[(?:::1|f[cd][0-9a-f]{2}:.*)\]$/i.test(host);
  if (/^\d+(?:\.\d+){3}$/.test(host)) {
    return /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^0\.0\.0\.0$/.test(host);
  }
  return !host.includes('.') || /\.(?:localhost|local|internal|test|svc\.cluster\.local)$/i.test(host);
}

function readWebhookUrl(value: unknown): string | Fault {
  const read = readText(value);
  if (read instanceof Fault) return read;
  const url = WHOLE_ADDRESS.test(read) && URL.canParse(read) ? new URL(read) : null;
  if (url?.protocol === 'https:') return read;
  if (url?.protocol === 'http:' && isPrivateName(url.hostname)) return read;
  return new Fault('must be an absolute https address; http is taken for loopback and private hosts only');
}

const authorization = (): Member<string | null> =>
  optional((value) => {
    const read = readText(value);
    if (read instanceof Fault || !NO_HEADER.test(read)) return read;
    return new Fault('must be text without line breaks and other control characters');
  });

/** Where to tell of a change: an address and the value of its Authorization header. */
export const webhookMembers = () => ({
  Url: required(readWebhookUrl, '"https://example.com/hook"'),
  Authorization: authorization(),
});

const webhook = () => z.object(webhookMembers());

export const optionalWebhook = () => webhook().optional();

/** What a request says of its webhook; the route says how it is spelt. */
export function webhookOf(member: z.output<ReturnType<typeof optionalWebhook>>): Webhook | null {
  if (member === undefined) return null;
  return { url: member.Url, authorization: member.Authorization, dialect: DEFAULT_DIALECT };
}
