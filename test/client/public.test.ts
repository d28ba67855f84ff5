import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';

import type {
  Charge,
  ChargeStatus,
  DeliveryStatus,
  NamedOutcome,
  SandboxOptions,
  ScenarioDefinition,
  SimulatedAction,
  WebhookEvent,
} from '../../src/index.js';
import type { ChargeStatus as InnerStatus } from '../../src/records/charge.js';
import type { ScenarioFile } from '../../src/scenarios/file/schema.js';
import type { ThenField } from '../../src/scenarios/file/then.js';
import type { PolicyWhen, WebhookEffect } from '../../src/scenarios/file/webhooks.js';
import type { whenField } from '../../src/scenarios/file/when.js';
import type { SandboxOptions as InnerOptions } from '../../src/app/sandbox.js';
import { fieldsOf } from '../../src/openapi/request-fields.js';
import { ChargeResponse } from '../../src/resources/charges/schema.js';
import type { EventType } from '../../src/records/webhook-subscription.js';
import type { DeliveryStatus as InnerDeliveryStatus } from '../../src/webhooks/record.js';
import { client, testSandbox } from '../support/sandbox.js';

/** What the package says of itself names nothing of the inside; here both are compared. */

test('the options are all settings of a sandbox, and a host', () => {
  expectTypeOf<keyof SandboxOptions>().toEqualTypeOf<
    Exclude<keyof InnerOptions, 'library' | 'name' | 'onTurnedAway' | 'worldsByName'> | 'host'
  >();
});

test('the words are those of the tables', () => {
  expectTypeOf<WebhookEvent>().toEqualTypeOf<EventType>();
  expectTypeOf<ChargeStatus>().toEqualTypeOf<InnerStatus>();
  expectTypeOf<DeliveryStatus>().toEqualTypeOf<InnerDeliveryStatus>();
});

test('a scenario has the fields of its schema', () => {
  type Rule = NonNullable<ScenarioDefinition['rules']>[number];
  type Policy = NonNullable<NonNullable<ScenarioDefinition['webhooks']>['policies']>[number];
  expectTypeOf<keyof ScenarioDefinition>().toEqualTypeOf<keyof z.input<typeof ScenarioFile>>();
  expectTypeOf<keyof Required<Rule>['when']>().toEqualTypeOf<keyof z.input<ReturnType<typeof whenField>>>();
  expectTypeOf<keyof Rule['then']>().toEqualTypeOf<keyof z.input<typeof ThenField>>();
  expectTypeOf<keyof Required<Policy>['when']>().toEqualTypeOf<keyof z.input<typeof PolicyWhen>>();
  expectTypeOf<keyof Policy['then']>().toEqualTypeOf<keyof WebhookEffect>();
});

test('the outcomes with a name of their own are those of the table', () => {
  expectTypeOf<'approve' | 'unable_to_refund'>().toExtend<NamedOutcome>();
  expectTypeOf<string>().not.toExtend<NamedOutcome>();
});

test('the actions are those that can be simulated', async () => {
  const actions: Record<SimulatedAction, true> = {
    'batch.fail': true,
    'vault.expire': true,
    'authorisation.expire': true,
    'charge.settle': true,
    'payto.activate': true,
    'token.expire': true,
    'challenge.approve': true,
    'challenge.fail': true,
    'challenge.abandon': true,
    'challenge.timeOut': true,
  };
  const { body } = await client(testSandbox()).post('/_sandbox/simulate', { Action: 'nothing', Ref: '1' });
  expect(body['Message']).toContain(`it must be one of ${Object.keys(actions).join(', ')}`);
});

test('a charge has the fields that the service answers', async () => {
  expectTypeOf<keyof Charge>().toEqualTypeOf<keyof ChargeResponse>();
  const { body } = await client(testSandbox()).post('/charge/token', { Amount: 5, Token: 'tok_approve' });
  expect(Object.keys(body)).toEqual(fieldsOf(ChargeResponse).map(([name]) => name));
});
