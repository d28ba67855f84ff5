import { count } from '../../core/text/text.js';
import { linesOf, type Printable } from '../terminal/terminal.js';
import type { Tally } from './tally.js';

const LISTED_MAX = 20;

export interface Warning {
  readonly head: string;
  readonly items: readonly string[];
}

export function warningsOf(tally: Tally): Warning[] {
  const { unknownPaths, unauthorised, otherTypes, unknown } = tally;
  const [rules, policies] = [tally.unmatched('rule'), tally.unmatched('policy')];
  const undelivered = tally.undelivered();
  return [
    { head: 'no call reached the server', items: unreached(tally) },
    noted(unknownPaths, 'call', 'to unknown paths or methods'),
    noted(unauthorised, 'call', 'without an accepted key (401)'),
    noted(otherTypes, 'call', 'with a content type other than JSON (415)'),
    { head: `${count(rules.length, 'rule')} never matched`, items: rules },
    {
      head: `${policies.length === 1 ? '1 policy' : `${policies.length} policies`} never matched`,
      items: policies,
    },
    noted(unknown, 'request', 'with unknown fields, filters or headers'),
    { head: `${count(undelivered.length, 'webhook')} not delivered`, items: undelivered },
  ].filter(({ items }) => items.length > 0);
}

function noted(these: Tally['unknown'], noun: string, what: string): Warning {
  return { head: `${count(these.total, noun)} ${what}`, items: these.list() };
}

/** If no call arrived, the tests did not test what they should. */
function unreached({ requests, controls }: Tally): string[] {
  if (requests > 0) return [];
  const only = controls === 0 ? '' : ` Only /_sandbox was called (${count(controls, 'call')}).`;
  return [
    `The address was in PLAYMONEY_URL and the key in PLAYMONEY_KEY. Check that the program under test uses them.${only}`,
  ];
}

export function summary({ requests }: Tally, warnings: readonly Warning[]): Printable {
  const lines = warnings.flatMap(({ head, items }) => [
    `  ${head}:`,
    ...items.slice(0, LISTED_MAX).map((item) => `    ${item}`),
    ...(items.length > LISTED_MAX ? [`    and ${items.length - LISTED_MAX} more`] : []),
  ]);
  const end = warnings.length === 0 ? ', no warnings.' : ', with warnings:';
  return linesOf([`playmoney: ${count(requests, 'request')}${end}`, ...lines]);
}
