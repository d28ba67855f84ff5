import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import manifest from '../package.json' with { type: 'json' };

import { EXAMPLES, formatHelp } from '../src/node/cli/help.js';
import { PAYMENT_TYPES } from '../src/core/cards/payment-type.js';
import { typeToken } from '../src/outcomes/magic-tokens.js';
import { presentTriggers } from '../src/outcomes/published.js';
import { readInstallLines } from './install/readme.mjs';
import { countProof, readProof } from './support/proof.js';
import { GENERATE } from './support/readme.js';
import { words } from './support/tables.js';
import { versions } from './support/versions.js';

/** What a reader tries first. */
const WANTED_CARDS = words`
  4242424242424242 4000000000009995 4000000000002222 4000000000005043 4000000000004087
`;
const OUTCOME_HEAD = ['outcome', 'Code', 'GatewayCode', 'GatewayMessage', 'IsRetryable'];

test.each([...generated(), ...(await proofParts())])(
  'The part %s of %s is what the code says.',
  (name, file, text) => {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const part = new RegExp(`(<!-- generated:${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
    if (GENERATE) {
      const before = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        before.replace(part, (_, open: string, close: string) => `${open}${text}\n${close}`),
      );
    }
    expect(part.exec(readFileSync(path, 'utf8'))?.[0]).toBe(
      `<!-- generated:${name} -->\n${text}\n<!-- /generated -->`,
    );
  },
);

test('The installation test finds the two commands of "Install".', () => {
  expect(readInstallLines()).toEqual({
    inClone: 'npm ci && npm pack',
    inProject: `npm install --save-dev ../playmoney/playmoney-${manifest.version}.tgz`,
  });
});

function generated(): [name: string, file: string, text: string][] {
  const { Cards, Accounts, Outcomes, PayIds, Providers, Statuses } = presentTriggers();
  const statuses = Statuses.map(({ Status, Meaning, Way, Next }) => [Status, Meaning, Way, Next.join(', ')]);
  const cards = Cards.map((card) => [card.CardNumber, card.Scheme, card.Effect]);
  const wanted = WANTED_CARDS.map((number) => cards.find(([one]) => one === number) ?? [number]);
  const typeTokens = PAYMENT_TYPES.map((type) => [typeToken(type), type]);
  const accounts = [
    ...Accounts.map(({ AccountNumber, Effect }) => [AccountNumber, Effect]),
    ...PayIds.map(({ PayId, Effect }) => [PayId, Effect]),
  ];
  const outcomes = Outcomes.map((one) => [
    one.Outcome,
    `${one.Code ?? ''}`,
    one.GatewayCode ?? '',
    one.GatewayMessage ?? '',
    one.IsRetryable ? 'yes' : 'no',
  ]);
  const providers = Providers.map((provider) => [provider.ProviderId, provider.Name, provider.Behaviour]);
  return [
    ['wanted', 'README.md', table(['number', 'scheme', 'effect'], wanted)],
    ['cards', 'docs/reference/test-cards.md', table(['number', 'scheme', 'effect'], cards)],
    ['payment-types', 'docs/reference/test-cards.md', table(['token', 'type'], typeTokens)],
    ['accounts', 'docs/reference/test-cards.md', table(['AccountNumber or PayId', 'effect'], accounts)],
    ['outcomes', 'docs/reference/test-cards.md', table(OUTCOME_HEAD, outcomes)],
    [
      'statuses',
      'docs/reference/test-cards.md',
      table(['Status', 'meaning', 'how to get it', 'next'], statuses),
    ],
    ['providers', 'docs/reference/test-cards.md', table(['ProviderId', 'name', 'behaviour'], providers)],
    [
      'help',
      'docs/reference/command-line.md',
      [null, ...Object.keys(EXAMPLES)].map(describeHelp).join('\n\n'),
    ],
    ['versions', 'docs/reference/words.md', table(['what', 'versions', '`npm run …`'], versions())],
    ...shopParts(),
  ];
}

async function proofParts(): Promise<[name: string, file: string, text: string][]> {
  const text = countProof(await readProof());
  return ['README.md', 'docs/reference/fidelity.md'].map((file) => ['proof', file, text]);
}

/** The help of a command, without the options that it shares with `start`, which are listed there. */
function describeHelp(verb: string | null): string {
  const shared = new Set(
    formatHelp('start')
      .split('\n')
      .filter((line) => line.startsWith('  --')),
  );
  const lines = formatHelp(verb).trimEnd().split('\n');
  const own = verb === null || verb === 'start' ? lines : lines.filter((line) => !shared.has(line));
  const isLong = lines.length - own.length > 3;
  const shown = isLong
    ? own.map((line) => (line === 'Options' ? 'Options, in addition to those of start' : line))
    : lines;
  return `${verb === null ? '' : `### ${verb}\n\n`}\`\`\`text\n${shown.join('\n')}\n\`\`\``;
}

/** What the guide shows of the shop whose tests `npm run test:shop` runs. */
function shopParts(): [name: string, file: string, text: string][] {
  const read = (name: string) => readFileSync(new URL(`package/shop/${name}`, import.meta.url), 'utf8');
  const webhook = /^shopTest\('[^']*webhook[\s\S]*?^}\);$/m.exec(read('shop.test.js'))?.[0] ?? '';
  const parts = [
    ['webhook', webhook],
    ['vitest', read('runners/vitest.js')],
  ] as const;
  return parts.map(([name, text]) => [
    `shop-${name}`,
    'docs/guides/test-runners.md',
    `\`\`\`js\n${text.trim()}\n\`\`\``,
  ]);
}

function table(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const lines: readonly (readonly (string | null)[])[] = [head, head.map(() => '---'), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => (cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
