import { expect, test } from 'vitest';

import { client, type TestSandbox, testSandbox } from '../support/sandbox.js';
import { storing } from '../support/stored.js';

const DELAY = 200;
const charge = (): object => storing({ Amount: 5 });

/** What a sandbox with a delay waited for, while something was done in it. */
async function sleptFor(
  act: (api: ReturnType<typeof client>) => Promise<unknown>,
): Promise<readonly number[]> {
  const sandbox: TestSandbox = testSandbox({ delay: DELAY });
  await act(client(sandbox));
  return sandbox.host.slept;
}

test('every answer of the service is sent later, also a refusal', async () => {
  expect(await sleptFor((api) => api.charge(charge()))).toEqual([DELAY]);
  expect(await sleptFor((api) => api.charge({}))).toEqual([DELAY]);
  expect(await sleptFor((api) => api.get('/nothing'))).toEqual([DELAY]);
  expect(await sleptFor((api) => api.get('/charge', { 'x-sandbox-fault': 'nonsense' }))).toEqual([DELAY]);
});

test('probes and calls of the sandbox itself are not', async () => {
  const slept = await sleptFor(async (api) => {
    await api.get('/_sandbox/health');
    await api.get('/_sandbox/journal');
    await api.post('/_sandbox/reset', {});
  });
  expect(slept).toEqual([]);
});

test('a reset can set it for one world', async () => {
  const sandbox = testSandbox();
  const api = client(sandbox);
  await api.post('/_sandbox/reset', { Settings: { Delay: '2s' } });
  await api.charge(charge());
  await client(sandbox, 'sk_test_other').charge(charge());
  await api.post('/_sandbox/reset', { Settings: { Delay: '0s' } });
  await api.charge(charge());
  expect(sandbox.host.slept).toEqual([2000]);
});

test('it adds to the delays of a scenario, and faults keep their kind', async () => {
  const slept = await sleptFor(async (api) => {
    await api.play({
      name: 'slow',
      rules: [
        { when: { reference: 'slow' }, then: { delay: '1s' } },
        { when: { reference: 'lost' }, then: { fault: 'empty', phase: 'after' } },
        { when: { reference: 'refused' }, then: { respond: { status: 502 } } },
      ],
    });
    await api.charge(storing({ Amount: 5, Reference: 'slow' }));
    // An answer that is lost is not sent later.
    await expect(api.charge(storing({ Amount: 5, Reference: 'lost' }))).rejects.toThrow(TypeError);
    expect((await api.charge(storing({ Amount: 5, Reference: 'refused' }))).status).toBe(502);
  });
  expect(slept).toEqual([1000, DELAY, DELAY]);
});

test('the journal counts it, and the charge is made before it', async () => {
  const sandbox = testSandbox({ delay: DELAY });
  sandbox.host.sleep = (ms) => {
    expect(sandbox.worlds.open('sk_test_a').charges.size).toBe(1);
    sandbox.host.wall += ms;
    return Promise.resolve();
  };
  const api = client(sandbox);
  await api.charge(charge());
  expect(await api.read('/_sandbox/journal')).toMatchObject({
    Entries: [{ Status: 201, DurationMs: DELAY }],
  });
});

test('a call whose world is reset meanwhile is told so', async () => {
  const sandbox = testSandbox({ delay: DELAY });
  const api = client(sandbox);
  sandbox.host.sleep = async () => void (await api.post('/_sandbox/reset', {}));
  expect(await api.charge(charge())).toMatchObject({ status: 503, body: { Code: 37 } });
});
