import type { Job } from '../state/wire.js';

interface JobDescription {
  readonly text: string;
  /** The view of its record; null if it has none. */
  readonly view: string | null;
}

const KINDS: Readonly<Record<string, JobDescription>> = {
  'authorisation.expire': { text: 'Authorisation expires', view: 'charges' },
  'charge.settle': { text: 'The bank settles', view: 'charges' },
  'challenge.expire': { text: 'Challenge times out', view: 'authentications' },
  'checkout.expire': { text: 'A check-out expires', view: null },
  'transfer.arrive': { text: 'Transfer arrives', view: 'transfers' },
  'subscription.charge': { text: 'Subscription is charged', view: 'subscriptions' },
  'vault.expire': { text: 'Vault entry expires', view: 'vault' },
  'vault.ccvExpire': { text: 'Stored Ccv is removed', view: 'vault' },
  'token.expire': { text: 'Token expires', view: null },
  'webhook.deliver': { text: 'Webhook', view: 'webhooks' },
  'batch.create': { text: 'Batch is created', view: 'batches' },
  'batch.start': { text: 'Batch starts', view: 'batches' },
  'batch.rows': { text: 'Batch rows are charged', view: 'batches' },
  'batch.finish': { text: 'Batch ends', view: 'batches' },
  'scenario.timeline': { text: 'Timeline of the scenario', view: 'scenario' },
};

export const JOB_KINDS = Object.keys(KINDS);

/** The words for a job: "Webhook to /hooks/pay, try 2 of 10, order-4005", "The bank settles AUD 30.00 of order-1042". */
export function describeJob({ Kind, About }: Pick<Job, 'Kind'> & Partial<Job>): JobDescription {
  const { text, view } = KINDS[Kind] ?? { text: Kind, view: null };
  if (!About) return { text, view };
  return { text: `${text}${/^(?:Webhook|The bank settles)$/.test(text) ? ' ' : ': '}${About}`, view };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 };

/** A duration such as 7d or 2h 30m, in milliseconds; null if it is none. */
export function parseSpan(text: string): number | null {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)(?![a-z])/g)];
  const isWhole = text.replaceAll(/(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)(?![a-z])/g, '').trim() === '';
  if (parts.length === 0 || !isWhole) return null;
  return Math.round(parts.reduce((sum, [, n, unit = '']) => sum + Number(n) * (UNITS[unit] ?? 0), 0));
}
