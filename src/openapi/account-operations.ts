import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { CreatePaymentLink } from '../payment-links/schema.js';
import { SearchPaymentLinks } from '../payment-links/search-schema.js';
import { AskInfo, CreateProvider, UpdateProvider } from '../providers/schema.js';
import { AskSettlements } from '../settlements/schema.js';
import { CreateSubscription, SetStatus, UpdateSubscription } from '../subscriptions/schema.js';
import { SearchSubscriptions } from '../subscriptions/search-schema.js';
import { CreateTransfers } from '../transfers/schema.js';
import { SearchTransfers } from '../transfers/search-schema.js';
import {
  CreateSubscription as Subscribe,
  SearchSubscriptions as SearchWebhooks,
} from '../webhook-subscriptions/schema.js';
import {
  Info,
  InfoProvider,
  InfoProviders,
  PaymentLink,
  PaymentLinks,
  Provider,
  Settlement,
  Subscription,
  Transfer,
  Version,
  WebhookSubscription,
  WebhookSubscriptions,
} from './account-answers.js';
import { page } from '../http/answers.js';
import { row, type Section } from './operation.js';

const AMOUNT = [CODE.InvalidAmount, CODE.InvalidAmountMustBePositive];
const TERMS = [...AMOUNT, CODE.CurrencyNotSupported];

export const SUBSCRIPTIONS: Section = {
  tag: 'Subscriptions',
  text: 'Charges that time makes, of one payment method.',
  rows: [
    row(
      'post',
      '/subscription/payment_method',
      'createSubscription',
      'Charge a payment method again and again',
      Subscription,
      {
        body: CreateSubscription,
        errors: [...TERMS, CODE.InvalidPaymentMethodId, CODE.InvalidPaymentMethodIdRemoved],
      },
    ),
    row(
      'get',
      '/subscription',
      'searchSubscriptions',
      'Search subscriptions',
      page('Subscriptions', Subscription),
      { query: SearchSubscriptions },
    ),
    row('get', '/subscription/{id}', 'getSubscription', 'Read a subscription', Subscription, {
      errors: [CODE.InvalidSubscriptionId],
    }),
    row(
      'put',
      '/subscription/{id}',
      'updateSubscription',
      'Change the terms of a subscription',
      Subscription,
      {
        text: 'The whole of the terms: what is left out is none from then on.',
        body: UpdateSubscription,
        errors: [...TERMS, CODE.InvalidSubscriptionId, [CODE.UnableToUpdateSubscription, 409]],
      },
    ),
    row(
      'put',
      '/subscription/{id}/status',
      'setSubscriptionStatus',
      'Suspend, resume or end a subscription',
      Subscription,
      {
        body: SetStatus,
        errors: [CODE.InvalidSubscriptionId, [CODE.UnableToUpdateSubscription, 409]],
      },
    ),
    row('delete', '/subscription/{id}', 'cancelSubscription', 'Cancel a subscription', Subscription, {
      errors: [CODE.InvalidSubscriptionId, [CODE.UnableToUpdateSubscription, 409]],
    }),
  ],
};

export const PAYMENT_LINKS: Section = {
  tag: 'Payment links',
  text: 'Pages on which somebody pays by card.',
  rows: [
    row('post', '/payment_link', 'createPaymentLink', 'Make a payment link', PaymentLink, {
      body: CreatePaymentLink,
      errors: [...AMOUNT, CODE.CurrencyNotSupported],
    }),
    row('get', '/payment_link', 'searchPaymentLinks', 'Search payment links', PaymentLinks, {
      query: SearchPaymentLinks,
    }),
    row('get', '/payment_link/{id}', 'getPaymentLink', 'Read a payment link', PaymentLink, {
      errors: [CODE.InvalidPaymentLinkId],
    }),
  ],
};

export const TRANSFERS: Section = {
  tag: 'Transfers and settlements',
  text: 'Where the money of charges goes.',
  rows: [
    row('post', '/transfer', 'createTransfers', 'Pay parts of a charge out', z.array(Transfer), {
      body: CreateTransfers,
      errors: [
        CODE.InvalidTransferAmount,
        CODE.InvalidChargeId,
        CODE.InvalidCharge,
        CODE.InvalidChargeStatus,
        CODE.NoTransferInformationProvided,
        CODE.TransferLargerThanOriginalCharge,
        CODE.DuplicateGroupReference,
        CODE.DuplicateTransferReference,
        CODE.CurrencyNotSupported,
      ],
    }),
    row('get', '/transfer', 'searchTransfers', 'Search transfers', page('Transfers', Transfer), {
      query: SearchTransfers,
    }),
    row('get', '/transfer/{id}', 'getTransfer', 'Read a transfer', Transfer, {
      errors: [CODE.InvalidTransferId],
    }),
    row('get', '/settlements', 'getSettlements', 'List what was settled on some days', z.array(Settlement), {
      query: AskSettlements,
    }),
  ],
};

export const PROVIDERS: Section = {
  tag: 'Providers',
  text: 'The gateway accounts that answer, and what clients ask of them.',
  rows: [
    row('post', '/provider', 'createProvider', 'Configure a provider', Provider, {
      body: CreateProvider,
      errors: [CODE.InvalidFallbackProviderId, CODE.InvalidProviderId],
    }),
    row('get', '/provider/{id}', 'getProvider', 'Read a provider', Provider, {
      errors: [CODE.NoProviderFound],
    }),
    row('put', '/provider/{id}', 'updateProvider', 'Change a provider', Provider, {
      text: 'What is left out stays as it is.',
      body: UpdateProvider,
      errors: [CODE.NoProviderFound, CODE.InvalidFallbackProviderId, CODE.InvalidProviderId],
    }),
    row('delete', '/provider/{id}', 'removeProvider', 'Remove a provider', Provider, {
      errors: [CODE.NoProviderFound],
    }),
    row('get', '/info', 'getInfo', 'List countries, currencies and time zones', Info),
    row('get', '/info/providers', 'getInfoProviders', 'List the ways to pay', InfoProviders, {
      query: AskInfo,
    }),
    row('get', '/info/providers/{id}', 'getInfoProvider', 'Ask what a provider needs', InfoProvider, {
      query: AskInfo,
      errors: [CODE.InvalidProviderId],
    }),
    row(
      'get',
      '/info/providers/token/{token}',
      'getInfoProviderOfToken',
      'Ask what the provider of a token needs',
      InfoProvider,
      { query: AskInfo, errors: [CODE.InvalidTokenId] },
    ),
    row(
      'get',
      '/info/default_fallback_provider',
      'getDefaultFallbackProvider',
      'Read the default fallback provider',
      Provider,
    ),
    row('get', '/version', 'getVersion', 'Read the version of the service', Version),
  ],
};

export const WEBHOOKS: Section = {
  tag: 'Webhook subscriptions',
  text: 'Who is told of all events of some topics.',
  rows: [
    row('post', '/webhook/subscription', 'subscribe', 'Subscribe to topics', WebhookSubscription, {
      body: Subscribe,
      errors: [CODE.UnableToCreateWebhookSubscription],
    }),
    row(
      'get',
      '/webhook/subscription',
      'searchWebhookSubscriptions',
      'Search webhook subscriptions',
      WebhookSubscriptions,
      { query: SearchWebhooks },
    ),
    row(
      'get',
      '/webhook/subscription/{id}',
      'getWebhookSubscription',
      'Read a webhook subscription',
      WebhookSubscription,
      {
        errors: [[CODE.UnableToGetWebhookSubscription, 404]],
      },
    ),
    row(
      'delete',
      '/webhook/subscription/{id}',
      'unsubscribe',
      'Remove a webhook subscription',
      WebhookSubscription,
      {
        errors: [[CODE.UnableToDeleteWebhookSubscription, 404]],
      },
    ),
  ],
};
