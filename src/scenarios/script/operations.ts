import { findNearest } from '../../core/text/nearest.js';

/** The operations that can be scripted. */
export const OPERATIONS = [
  'charge.create',
  'charge.capture',
  'charge.void',
  'charge.refund',
  'charge.settle',
  'charge.read',
  'charge.search',
  'customer.create',
  'customer.read',
  'customer.search',
  'customer.update',
  'customer.remove',
  'paymentMethod.create',
  'paymentMethod.read',
  'paymentMethod.search',
  'paymentMethod.update',
  'paymentMethod.remove',
  'vault.create',
  'vault.read',
  'vault.delete',
  'batch.create',
  'batch.read',
  'batch.search',
  'batch.row',
  'token.create',
  'token.read',
  'token.search',
  'checkout.create',
  'checkout.read',
  'authentication.create',
  'authentication.perform',
  'authentication.read',
  'provider.create',
  'provider.read',
  'provider.update',
  'provider.remove',
  'info.read',
  'webhookSubscription.create',
  'webhookSubscription.read',
  'webhookSubscription.search',
  'webhookSubscription.remove',
  'subscription.create',
  'subscription.read',
  'subscription.search',
  'subscription.update',
  'subscription.setStatus',
  'subscription.cancel',
  'subscription.charge',
  'paymentLink.create',
  'paymentLink.read',
  'paymentLink.search',
  'transfer.create',
  'transfer.read',
  'transfer.search',
  'settlement.search',
  'version.read',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** A hint for an unknown operation: the most similar one that is accepted, and those of the same resource. */
export function hintOperation(given: string, accepted: readonly Operation[] = OPERATIONS): string {
  const [near = findByAction(given, accepted)] = findNearest(given, accepted, 1);
  const resource = resourceOf(near ?? given);
  const akin = accepted.filter((operation) => resourceOf(operation) === resource);
  if (akin.length === 0) return `Operations: ${accepted.join(', ')}`;
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  return `${meant}Operations of ${resource}: ${akin.join(', ')}`;
}

/** The operation that is meant by its action alone: `capture`. */
function findByAction(given: string, accepted: readonly Operation[]): Operation | undefined {
  // Of a known resource, another action is meant than one of some other resource.
  if (accepted.some((operation) => resourceOf(operation) === resourceOf(given))) return undefined;
  const actionOf = (operation: string): string => operation.slice(operation.indexOf('.') + 1);
  const [action] = findNearest(given, new Set(accepted.map(actionOf)), 1);
  return accepted.find((operation) => actionOf(operation) === action);
}

/** All operations as Markdown, grouped by resource. */
export function operationsAsMarkdown(): string {
  const resources = [...new Set(OPERATIONS.map(resourceOf))];
  const listOf = (resource: string): string => {
    const [first = '', ...others] = OPERATIONS.filter((operation) => resourceOf(operation) === resource);
    return [first, ...others.map((operation) => operation.slice(resource.length))]
      .map((operation) => `\`${operation}\``)
      .join(', ');
  };
  return resources.map(listOf).join('; ');
}

function resourceOf(operation: string): string {
  return operation.slice(0, Math.max(0, operation.indexOf('.')));
}
