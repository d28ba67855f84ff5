// What projects do with the types of the package.

/** The fixture of a runner; a line that must be refused shows that types are not `any`. */
function fixture(entry, expectFrom = entry) {
  const more = expectFrom === entry ? ', expect' : '';
  return `import { createTest, test${more} } from '${entry}';
${more === '' ? `import { expect } from '${expectFrom}';\n` : ''}
createTest({ dialect: 'sdk' })('has its own options', async ({ sandbox }) => {
  await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 20 });
});
test('is typed', async ({ sandbox }) => {
  // @ts-expect-error there is no such event
  await expect(sandbox).not.toHaveDelivered('batch.changed');
});
`;
}

/** What a strict project does with the types of each entry. A line that must be refused shows that types are not \`any\`. */
const TYPED = {
  playmoney: `import { createSandbox, type JournalEntry, type World } from 'playmoney';

export async function journalOf(world: World): Promise<readonly JournalEntry[]> {
  await createSandbox({ clock: 'manual' }).world('sk_test_shop').clock.advance('7d');
  // @ts-expect-error there is no such operation
  await world.outcomes.queue('charge.make', ['approve']);
  return world.journal.entries({ operation: 'charge.create' });
}
`,
  'playmoney/page': `import { createPayfurl, mountCardForm, type Paid, PlaymoneyError } from 'playmoney/page';

window.payfurl = createPayfurl({ baseUrl: 'http://127.0.0.1:4010' });
const show = ({ token }: Paid): void => console.log(token satisfies string | undefined);
payfurl.init('sandbox', 'pk_test_shop').addCardLeastCost('payment', 20, 'AUD').onSuccess(show).execute();
// @ts-expect-error there is no amount
payfurl.addDropIn('payment');
const card = { publicKey: 'pk_test_shop', providerId: '1', card: { cardNumber: '4242', expiryDate: '12/30' } };
playmoney.tokenise(card).catch((error: unknown) => error instanceof PlaymoneyError && error.code);
mountCardForm('#card', { ...card, onToken: ({ TokenId }) => console.log(TokenId) }).unmount();
`,
  'playmoney/vitest': fixture('playmoney/vitest', 'vitest'),
  'playmoney/jest': fixture('playmoney/jest', '@jest/globals'),
  'playmoney/node-test': fixture('playmoney/node-test'),
  'playmoney/playwright': fixture('playmoney/playwright'),
  'playmoney/testcontainers': `import { PlaymoneyContainer } from 'playmoney/testcontainers';

export async function address(): Promise<string> {
  // @ts-expect-error there is no such clock
  new PlaymoneyContainer('playmoney').withClock('slow');
  const container = await new PlaymoneyContainer('playmoney').withClock('manual').start();
  await container.world('sk_test_shop').clock.advance('7d');
  return container.url;
}
`,
};

/** A file that uses the types of entries. */
export function typed(...entries) {
  return entries.map((entry) => TYPED[entry]).join('\n');
}
