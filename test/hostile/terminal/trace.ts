/** A recorded call, and a trace of it. */
export const ENTRY = {
  At: '2026-01-01T00:00:00.000Z',
  Method: 'GET',
  Path: '/charge',
  Query: '',
  Headers: {},
  Body: null,
  Status: 200,
  Response: { Count: 0, Charges: [] },
};

export const TRACE = {
  Format: 'playmoney-trace',
  Version: 1,
  Clock: { Now: '2026-01-01T00:00:00.000Z', Mode: 'manual', Rate: 0 },
  Evicted: 0,
  Entries: [ENTRY],
};

/** A bundle of an empty world and that call. */
export const BUNDLE = {
  Format: 'playmoney-bundle',
  Version: 1,
  Server: { Playmoney: '0.1.0', Node: 'v24.0.0' },
  Seed: '1',
  Dialect: 'documented',
  Scenario: null,
  State: null as unknown,
  Trace: TRACE,
};

/** An archive of two worlds, each with that call. */
export const HAR = (world: string, path = '/charge'): object => {
  const entry = {
    _at: ENTRY.At,
    request: { method: 'GET', url: `http://localhost${path}` },
    response: { status: 200, content: { text: JSON.stringify(ENTRY.Response) } },
  };
  return { log: { creator: { name: 'playmoney' }, entries: [{ ...entry, _world: world }, entry] } };
};
