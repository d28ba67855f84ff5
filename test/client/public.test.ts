import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';

import type {
  Charge,
  ChargeStatus,
  DeliveryStatus,
  NamedOutcome,
  SandboxOptions,
  ScenarioDefinition,
} from '../../src/index.js';
import { ACTION_NAMES } from '../../src/control/scenario/simulate.js';
import type { ChargeStatus as InnerStatus } from '../../src/records/charge.js';
import type { ScenarioFile } from '../../src/scenarios/file/schema.js';
import type { ThenField } from '../../src/scenarios/file/then.js';
import type { PolicyWhen, WebhookEffect } from '../../src/scenarios/file/webhooks.js';
import type { whenField } from '../../src/scenarios/file/when.js';
import type { InnerSandboxOptions as InnerOptions } from '../../src/app/sandbox.js';
import { listFields } from '../../src/openapi/request-fields.js';
import { ChargeResponse } from '../../src/resources/charges/schema.js';
import type { DeliveryStatus as InnerDeliveryStatus } from '../../src/webhooks/delivery.js';
import { client, testSandbox } from '../support/sandbox.js';

/** Types that the package writes by hand, compared with those of the sources. */

test('the options are all settings of a sandbox, and a host', () => {
  expectTypeOf<keyof SandboxOptions>().toEqualTypeOf<
    | Exclude<
        keyof InnerOptions,
        | 'hashesPublicKeys'
        | 'injected'
        | 'keyLengthMin'
        | 'library'
        | 'name'
        | 'onHang'
        | 'onTurnedAway'
        | 'optionNames'
        | 'vetKey'
        | 'worldsByName'
      >
    | 'host'
  >();
});

test('the statuses are those of the records', () => {
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

test('an unknown action is refused with those that can be simulated', async () => {
  const { body } = await client(testSandbox()).post('/_sandbox/simulate', { Action: 'nothing', Ref: '1' });
  expect(body['Message']).toContain(`it must be one of ${ACTION_NAMES.join(', ')}`);
});

test('a charge has the fields that the service answers', async () => {
  expectTypeOf<keyof Charge>().toEqualTypeOf<keyof ChargeResponse>();
  const { body } = await client(testSandbox()).post('/charge/token', { Amount: 5, Token: 'tok_approve' });
  expect(Object.keys(body)).toEqual(listFields(ChargeResponse).map(([name]) => name));
});
