import { describe, expect, test } from 'vitest';

import { type Client, Player } from './client.js';
import type { Sample } from './program.js';
import { Readings } from './readings.js';

/** A soak whose judge lets everything pass would show nothing. */

const MIB = 1024 * 1024;
const STILL: Sample = { rss: 150 * MIB, heap: 50 * MIB, resources: { Timeout: 1 }, unheld: 2, files: 20 };

/** What is wrong with three minutes of samples, one every ten seconds. */
function listFaults(minutes: number, more: (minute: number) => Partial<Sample>): string[] {
  const readings = new Readings();
  for (let i = 0; i < 18; i++) readings.add({ ...STILL, ...more(i / 6) }, i * 10_000);
  return readings.faults(minutes);
}

describe('what the program holds', () => {
  test('may go up and down', () => {
    const swinging = (minute: number): Partial<Sample> => {
      const wave = Math.round(3 * Math.sin(minute * 20));
      return { rss: (150 + wave) * MIB, heap: 50 * MIB + wave * 1000, files: 20 + wave, unheld: 5 + wave };
    };
    expect([...listFaults(20, swinging), ...listFaults(2, swinging)]).toEqual([]);
  });

  test.each<[what: string, minutes: number, more: (minute: number) => Partial<Sample>, fault: string]>([
    ['memory', 20, (m) => ({ rss: (150 + 1.2 * m) * MIB }), 'RSS grows by 1.20 MiB a minute'],
    ['the heap', 2, (m) => ({ heap: (50 + 4.5 * m) * MIB }), 'the heap grows by 4.50 MiB a minute'],
    ['handles', 20, (m) => ({ files: 20 + Math.floor(5 * m) }), 'handles went up from 22 to 32'],
    ['timers', 2, (m) => ({ resources: { Timeout: Math.floor(5 * m) } }), 'timers went up'],
    ['other timers', 2, (m) => ({ unheld: Math.floor(5 * m) }), 'timers went up from 3 to 13'],
    [
      'handles where the system does not tell',
      2,
      (m) => ({ files: null, resources: { TCPSocketWrap: Math.floor(9 * m), Immediate: 99 } }),
      'handles went up from 4 to 22',
    ],
  ])('must not grow: %s', (_, minutes, more, fault) => {
    expect(listFaults(minutes, more)).toEqual([expect.stringContaining(fault) as unknown]);
  });

  test('must have been looked at often enough', () => {
    expect(new Readings().faults(2)).toEqual([expect.stringContaining('there are 0 samples') as unknown]);
  });
});

test('An answer with another status than the one that is wanted is found.', async () => {
  const call = () => Promise.resolve({ status: 200, text: '{}', body: {} });
  const player = new Player({ call } as unknown as Client, 'sk_test_a');
  await expect(player.ask('GET /charge')).resolves.toEqual({});
  await expect(player.ask('GET /charge', undefined, 400)).rejects.toThrow('The status of GET /charge');
});
