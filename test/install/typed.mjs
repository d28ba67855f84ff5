// What projects do with the types of the package.

/** The fixture of a runner; a line that must be refused shows that types are not `any`. */
function fixture(entry, expectFrom = entry, more = '') {
  const names = ['createTest', 'type Receiver', 'test', ...(expectFrom === entry ? ['expect'] : [])];
  const other = [entry, null].includes(expectFrom) ? '' : `import { expect } from '${expectFrom}';\n`;
  return `import { ${names.join(', ')} } from '${entry}';
${other}
createTest({ dialect: 'sdk' })('has its own options', async ({ sandbox, receiver }) => {
  await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 20 });
  const own: Receiver = receiver;
  (await own.next('customer.created', { timeout: '2s' })).data;
});
test('is typed', async ({ sandbox }) => {
  await expect(sandbox).not.toHaveDelivered('batch.status.changed');
  // @ts-expect-error there is no such event
  await expect(sandbox).not.toHaveDelivered('batch.changed');
  expect({} as import('playmoney').SweepReport).not.toBeSafe();
});
// @ts-expect-error there is no such option
createTest({ dialects: 'sdk' });
${more}`;
}

const OF_JEST = `
createTest({ dialect: 'sdk' }).only('is typed', () => {}, 5000);
test.each([[1, 'a']] as [number, string][])('%i', async (n, letter, { sandbox }) => [n.toFixed(), letter.trim(), sandbox.key]);
test.each([{ a: 1 }])('%o', async (row, { sandbox }) => [row.a.toFixed(), sandbox.key]);
`;
const OF_NODE_TEST = `
createTest({ seed: '2' }).skip('is typed', { timeout: 5 }, async ({ sandbox, t }) => t.diagnostic(sandbox.key));
`;
const OF_PLAYWRIGHT = `
const paged = createTest({ gateway: 'https://api.example.com', seed: '2' });
paged.describe('a', () => {
  paged('b', async ({ page, browserName }) => {
    await expect(page.getByRole('status')).toHaveText(browserName);
  });
});
test.use({ viewport: null });
`;

/** What a strict project does with the types of each entry. A line that must be refused shows that types are not \`any\`. */
const TYPED = {
  playmoney: `import { createSandbox, type JournalEntry, SandboxError, serve, type World } from 'playmoney';

export async function journalOf(world: World): Promise<readonly JournalEntry[]> {
  await createSandbox({ clock: 'manual' }).world('sk_test_shop').clock.advance('7d');
  // @ts-expect-error there is no such operation
  await world.outcomes.queue('charge.make', ['approve']);
  // @ts-expect-error not both
  await world.clock.advance({ by: '2h', to: '2030-01-01T00:00:00Z' });
  // @ts-expect-error no unit
  await world.clock.advance('2');
  const { Status } = await world.simulate('charge.settle', '1');
  Status satisfies 'PENDING' | 'FAILED' | string;
  return world.journal.entries({ operation: 'charge.create' });
}

export async function served(): Promise<number | null> {
  using sandbox = createSandbox({ clock: 'manual' });
  await using server = await serve(sandbox);
  // @ts-expect-error its inside is its own
  sandbox.app;
  return server.port || new SandboxError({ status: 0, code: 1, message: '', details: null, answer: null }).code;
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
  'playmoney/jest': fixture('playmoney/jest', '@jest/globals', OF_JEST),
  'playmoney/jest, global': fixture('playmoney/jest', null, OF_JEST),
  'playmoney/node-test': fixture('playmoney/node-test', undefined, OF_NODE_TEST),
  'playmoney/playwright': fixture('playmoney/playwright', undefined, OF_PLAYWRIGHT),
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
