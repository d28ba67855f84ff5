import { formatCount } from '../../core/text/text.js';
import { formatLines, type Printable } from '../terminal/terminal.js';
import type { Tally } from './tally.js';

const LISTED_MAX = 20;

export interface SummaryWarning {
  readonly head: string;
  readonly items: readonly string[];
}

export function listTallyWarnings(tally: Tally): SummaryWarning[] {
  const { unknownPaths, unauthorised, otherTypes, unknown, chargedTwice } = tally;
  const [rules, policies] = [tally.unmatched('rule'), tally.unmatched('policy')];
  const undelivered = tally.undelivered();
  return [
    { head: 'no call reached the server', items: describeUnreached(tally) },
    buildWarning(chargedTwice, 'order', 'charged again after a lost answer'),
    buildWarning(unknownPaths, 'call', 'to unknown paths or methods'),
    buildWarning(unauthorised, 'call', 'without an accepted key (401)'),
    buildWarning(otherTypes, 'call', 'with a content type other than JSON (415)'),
    { head: `${formatCount(rules.length, 'rule')} never matched`, items: rules },
    {
      head: `${policies.length === 1 ? '1 policy' : `${policies.length} policies`} never matched`,
      items: policies,
    },
    buildWarning(unknown, 'request', 'with unknown fields, filters or headers'),
    { head: `${formatCount(undelivered.length, 'webhook')} not delivered`, items: undelivered },
  ].filter(({ items }) => items.length > 0);
}

function buildWarning(these: Tally['unknown'], noun: string, what: string): SummaryWarning {
  return { head: `${formatCount(these.total, noun)} ${what}`, items: these.list() };
}

/** If no call arrived, the tests did not test what they should. */
function describeUnreached({ requests, controls }: Tally): string[] {
  if (requests > 0) return [];
  const only = controls === 0 ? '' : ` Only /_sandbox was called (${formatCount(controls, 'call')}).`;
  return [
    `The address was in PLAYMONEY_URL and the key in PLAYMONEY_KEY. Check that the program under test uses them.${only}`,
  ];
}

export function formatSummary({ requests }: Tally, warnings: readonly SummaryWarning[]): Printable {
  const lines = warnings.flatMap(({ head, items }) => [
    `  ${head}:`,
    ...items.slice(0, LISTED_MAX).map((item) => `    ${item}`),
    ...(items.length > LISTED_MAX ? [`    and ${items.length - LISTED_MAX} more`] : []),
  ]);
  const end = warnings.length === 0 ? ', no warnings.' : ', with warnings:';
  return formatLines([`playmoney: ${formatCount(requests, 'request')}${end}`, ...lines]);
}
