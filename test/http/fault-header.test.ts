import { expect, test } from 'vitest';

import { formatFaultHeader, parseFaultHeader } from '../../src/http/fault-header.js';
import { PLAIN_FAULTS } from '../../src/scenarios/file/fault.js';

test.each([...PLAIN_FAULTS, 'status=503'])(
  'the header for %s is read as the fault and the phase for which it was written',
  (fault) => {
    for (const phase of ['before', 'after'] as const) {
      const asked = parseFaultHeader(`${fault}; phase=${phase}`);
      expect(asked.phase).toBe(phase);
      expect(parseFaultHeader(formatFaultHeader(asked))).toEqual(asked);
    }
  },
);

test.each(['hang; phase=later', 'hang; phase=before; phase=after'])('%j is refused', (text) => {
  expect(() => parseFaultHeader(text)).toThrow('; phase=before or ; phase=after');
});

test.each([
  ['rest', 'Did you mean reset?'],
  ['503; phase=after', 'Did you mean status=503?'],
  ['status', 'Did you mean status=503?'],
  ['insufficient_funds', 'It is an outcome.'],
])('%j is refused with what is meant', (text, hint) => {
  expect(() => parseFaultHeader(text)).toThrow(hint);
});
