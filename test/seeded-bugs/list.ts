/** One bug, put into the sources while tests run: each must make some test fail. */
export interface Mutant {
  /** What the product would do wrong. */
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files of which at least one test must fail. */
  readonly killedBy: readonly string[];
}

const CAPTURE = ['test/charges/capture.test.ts'];
const REFUND = ['test/charges/refund.test.ts'];
const RECORD = ['test/node/record/record.test.ts'];
const DIFFERENCES = ['test/node/record/differences.test.ts'];

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a secret key decides although a public one is sent',
    file: 'src/http/edge.ts',
    find: 'if (publicKey !== undefined) return secretOf(',
    replace: "if (publicKey !== undefined && headerOf(c, 'x-secretkey') === undefined) return secretOf(",
    killedBy: ['test/tokens/public-key.test.ts'],
  },
  {
    name: 'a decline leaves the Email of its request out',
    file: 'src/charges/presenter.ts',
    find: 'email: email ?? summaries',
    replace: 'email: summaries',
    killedBy: ['test/charges/declines.test.ts'],
  },
  {
    name: 'more is captured than was authorised',
    file: 'src/charges/changes.ts',
    find: 'if (amountMinor > authorised) {',
    replace: 'if (amountMinor > 2 * authorised) {',
    killedBy: CAPTURE,
  },
  {
    name: 'more is refunded than is left',
    file: 'src/charges/changes.ts',
    find: 'if (amountMinor > left) {',
    replace: 'if (amountMinor > found.amountMinor) {',
    killedBy: REFUND,
  },
  {
    name: 'a refund is counted twice',
    file: 'src/charges/changes.ts',
    find: 'refundedMinor: found.refundedMinor + amountMinor,',
    replace: 'refundedMinor: found.refundedMinor + 2 * amountMinor,',
    killedBy: REFUND,
  },
  {
    name: 'an authorisation is captured twice',
    file: 'src/charges/record.ts',
    find: "SUCCESS: { refundPart: 'PARTIAL_REFUND', refund: 'REFUND' },\n  PARTIAL",
    replace: "SUCCESS: { capture: 'SUCCESS', refundPart: 'PARTIAL_REFUND', refund: 'REFUND' },\n  PARTIAL",
    killedBy: CAPTURE,
  },
  {
    name: 'an authorisation is captured after it was voided',
    file: 'src/charges/record.ts',
    find: 'AUTHORISE_CANCELLED: {},',
    replace: "AUTHORISE_CANCELLED: { capture: 'SUCCESS' },",
    killedBy: ['test/charges/machine.test.ts'],
  },
  {
    name: 'an authorisation never expires',
    file: 'src/charges/service.ts',
    find: "if (made.status === 'Authorised') {",
    replace: "if (made.status === 'FAILED') {",
    killedBy: ['test/charges/void.test.ts', 'test/charges/capture.test.ts'],
  },
  {
    name: 'something else may come between the check of a status and its change',
    file: 'src/charges/changes.ts',
    find: '  world.charges.replace(after);\n  if (after.status',
    replace: '  void world.host.pause().then(() => world.charges.replace(after));\n  if (after.status',
    killedBy: ['test/model/races.test.ts'],
  },
  {
    name: 'a Ccv is kept after the first charge',
    file: 'src/vault/service.ts',
    find: '{ ...entry, ccv: null }',
    replace: '{ ...entry }',
    killedBy: ['test/charges/payment-method.test.ts', 'test/vault/vault.test.ts'],
  },
  {
    name: 'a vault entry outlives its end',
    file: 'src/vault/service.ts',
    find: 'world.jobs.schedule(expires, VAULT_EXPIRE, entry.id)',
    replace: 'world.jobs.schedule(expires + 1, VAULT_EXPIRE, entry.id)',
    killedBy: ['test/vault/vault.test.ts'],
  },
  {
    name: 'a card is refused in the last month of its validity',
    file: 'src/core/time.ts',
    find: 'twoDigits(expiry, 0));',
    replace: 'twoDigits(expiry, 0) - 1);',
    killedBy: ['test/core/time.test.ts'],
  },
  {
    name: 'a token works twice',
    file: 'src/tokens/service.ts',
    find: '{ ...token, secret: null, dateUsed: world.now }',
    replace: '{ ...token }',
    killedBy: ['test/charges/token.test.ts'],
  },
  {
    name: 'a refused charge uses its token up',
    file: 'src/charges/instruments.ts',
    find: '  const result = charge(world, instrument, command.amount, command.details, override);\n  // Its payer',
    replace:
      '  spendToken(world, opened);\n  const result = charge(world, instrument, command.amount, command.details, override);\n  // Its payer',
    killedBy: ['test/charges/token.test.ts'],
  },
  {
    name: 'a token is spent by the demand for 3-D Secure',
    file: 'src/charges/instruments.ts',
    find: '  if (demands(result.answer)) return result;\n',
    replace: '',
    killedBy: ['test/three-d-secure/authentication.test.ts'],
  },
  {
    name: 'a challenge that failed lets the charge pass',
    file: 'src/three-d-secure/charging.ts',
    find: "if (authentication.status === 'FAILED')",
    replace: "if (authentication.status === 'UNAVAILABLE')",
    killedBy: ['test/three-d-secure/authentication.test.ts'],
  },
  {
    name: 'records of one world are found under the key of another',
    file: 'src/worlds.ts',
    find: '    return this.#worlds.get(key);\n',
    replace: '    return this.#worlds.has(key) ? [...this.#worlds.values()][0] : undefined;\n',
    killedBy: ['test/isolation.test.ts'],
  },
  {
    name: 'two worlds give one identifier to their records',
    file: 'src/core/chance.ts',
    find: '${seed}\\u0000${key}',
    replace: '${seed}',
    killedBy: ['test/model/model.test.ts'],
  },
  {
    name: 'the Progress of a batch falls',
    file: 'src/batches/presenter.ts',
    find: 'Progress: batch.done / batch.count,',
    replace: 'Progress: 1 - batch.done / batch.count,',
    killedBy: ['test/batches/batches.test.ts'],
  },
  {
    name: 'a batch is taken whose Count is wrong',
    file: 'src/batches/csv.ts',
    find: 'if (rows === count) return;',
    replace: 'if (rows <= count) return;',
    killedBy: ['test/batches/csv.test.ts', 'test/batches/batches.test.ts'],
  },
  {
    name: 'the journal grows without end',
    file: 'src/journal/journal.ts',
    find: 'this.size < JOURNAL_ENTRIES_MAX ? undefined : this.#evict();',
    replace: 'entry.id >= 0 ? undefined : this.#evict();',
    killedBy: ['test/journal/journal.test.ts', 'test/journal/budget.test.ts'],
  },
  {
    name: 'a card number stands unmasked in the journal',
    file: 'src/journal/names.ts',
    find: "if (kind === 'card') return maskCard(text);",
    replace: "if (kind === 'card') return text;",
    killedBy: ['test/journal/mask.test.ts'],
  },
  {
    name: 'a webhook follows a redirect',
    file: 'src/node/webhooks/deliver.ts',
    find: 'return exchange(request, post);',
    replace:
      "const posted = await exchange(request, post);\n    return 'status' in posted && posted.status === 302 ? { status: (await fetch(post.url)).status } : posted;",
    killedBy: ['test/node/webhooks/deliver.test.ts'],
  },
  {
    name: 'a webhook that was redirected counts as delivered',
    file: 'src/webhooks/courier.ts',
    find: 'posted.status >= 200 && posted.status <= 299',
    replace: 'posted.status >= 200 && posted.status <= 399',
    killedBy: ['test/webhooks/retries.test.ts', 'test/webhooks/flow.test.ts'],
  },
  {
    name: 'a webhook goes to a public IP address',
    file: 'src/http/webhook-fields.ts',
    find: "(protocol === 'https:' && !isAddress(hostname))",
    replace: "protocol === 'https:'",
    killedBy: ['test/charges/members.test.ts'],
  },
  {
    name: 'a webhook has fields without a value',
    file: 'src/webhooks/message.ts',
    find: '(_, value: unknown) => value ?? undefined)',
    replace: '(_, value: unknown) => value)',
    killedBy: ['test/webhooks/events.test.ts'],
  },
  {
    name: 'a webhook is sent again too late',
    file: 'src/webhooks/record.ts',
    find: '5_000, 300_000,',
    replace: '5_000, 360_000,',
    killedBy: ['test/webhooks/retries.test.ts'],
  },
  {
    name: 'the default method stays when it is removed',
    file: 'src/payment-methods/service.ts',
    find: '{ ...customer, defaultMethod: null }',
    replace: '{ ...customer }',
    killedBy: ['test/payment-methods/changes.test.ts', 'test/customers/methods.test.ts'],
  },
  {
    name: 'the methods of a removed customer live on',
    file: 'src/customers/service.ts',
    find: '.filter(({ dateRemoved }) => dateRemoved === null)',
    replace: '.filter(({ dateRemoved }) => dateRemoved === 0)',
    killedBy: ['test/customers/changes.test.ts'],
  },
  {
    name: 'decimals that a currency does not have are dropped',
    file: 'src/core/money.ts',
    find: '} else if (code !== DIGIT_ZERO) {',
    replace: '} else if (code < DIGIT_ZERO) {',
    killedBy: ['test/core/money.test.ts'],
  },
  {
    name: 'a search for a name misses it by case',
    file: 'src/customers/search.ts',
    find: 'nameOf(customer).includes(name.toLowerCase())',
    replace: 'nameOf(customer).includes(name)',
    killedBy: ['test/customers/search.test.ts'],
  },
  {
    name: 'Count is that of the page',
    file: 'src/core/search.ts',
    find: '      if (count >= skip && found.length < limit) found.push(record);\n      count++;',
    replace:
      '      if (count >= skip && found.length < limit) found.push(record);\n      count = found.length;',
    killedBy: ['test/charges/search.test.ts', 'test/customers/search.test.ts'],
  },
  {
    name: 'a snapshot shares its records with the world that goes on',
    file: 'src/core/store.ts',
    find: 'return this.#rows.slice();',
    replace: 'return this.#rows;',
    killedBy: ['test/control/snapshots/restore.test.ts', 'test/control/snapshots/named.test.ts'],
  },
  {
    name: 'the clock goes backwards',
    file: 'src/core/clock.ts',
    find: 'if (to < from) {',
    replace: 'if (to < 0) {',
    killedBy: ['test/control/clock.test.ts'],
  },
  {
    name: 'a bank settles on a Saturday',
    file: 'src/core/calendar.ts',
    find: 'return weekday !== SATURDAY && weekday !== SUNDAY;',
    replace: 'return weekday !== SUNDAY;',
    killedBy: ['test/core/calendar.test.ts'],
  },
  {
    name: 'a declined charge of a subscription is retried once too often',
    file: 'src/subscriptions/schedule.ts',
    find: 'n > (retry.maximum ?? RETRY_DEFAULT)',
    replace: 'n > 1 + (retry.maximum ?? RETRY_DEFAULT)',
    killedBy: ['test/subscriptions/charging.test.ts'],
  },
  {
    name: 'what a request asks for itself gives way to the script',
    file: 'src/http/operation.ts',
    find: "return override !== null || fault?.phase === 'before';",
    replace: "return fault?.phase === 'before';",
    killedBy: [
      'test/scenarios/script.test.ts',
      'test/scenarios/rules.test.ts',
      'test/control/scenario/outcomes.test.ts',
    ],
  },
  {
    name: 'a document may have fields that its records do not have',
    file: 'src/core/codec.ts',
    find: 'if (Object.keys(value).length !== seen) refuseUnknown(value, fields);',
    replace: 'if (Object.keys(value).length < seen) refuseUnknown(value, fields);',
    killedBy: ['test/core/codec.test.ts', 'test/control/snapshots/state.test.ts'],
  },
  {
    name: 'what a record of a document names need not be there',
    file: 'src/control/snapshots/state-check.ts',
    find: 'for (const table of TABLES) checkReferences(sections, table, referencesOf(table, links));',
    replace: 'for (const table of TABLES) referencesOf(table, links);',
    killedBy: ['test/control/snapshots/state.test.ts'],
  },
  {
    name: 'record: a key that an answer repeats gets into the file',
    file: 'src/node/record/recording.ts',
    find: 'shown.replaceAll(JSON.stringify(key).slice(1, -1), HIDDEN)',
    replace: 'shown',
    killedBy: RECORD,
  },
  {
    name: 'record: a live key is passed on',
    file: 'src/node/record/record.ts',
    find: 'rawHeaders.some((text) => LIVE_KEY.test(text))',
    replace: 'rawHeaders.length < 0 && LIVE_KEY.test(target)',
    killedBy: RECORD,
  },
  {
    name: 'record: what never left is recorded',
    file: 'src/node/record/record.ts',
    find: 'return isConnected && METHOD',
    replace: 'return METHOD',
    killedBy: RECORD,
  },
  {
    name: 'replay: the order of fields is not compared',
    file: 'src/node/replay/order.ts',
    find: 'if (from < 0) return null;',
    replace: 'if (from < 1e9) return null;',
    killedBy: DIFFERENCES,
  },
  {
    name: 'replay: items in another order are compared by their places',
    file: 'src/node/replay/diff.ts',
    find: 'replayed[moved?.places[n] ?? n]',
    replace: 'replayed[n]',
    killedBy: DIFFERENCES,
  },
  {
    name: 'replay: the fields of a refusal count as differences of their own',
    file: 'src/node/replay/causes.ts',
    find: 'outcome === undefined ? differences : [outcome]',
    replace: 'differences',
    killedBy: DIFFERENCES,
  },
  {
    name: 'scenario from-trace: an answer is given again and again',
    file: 'src/node/record/scenario-from-trace.ts',
    find: 'then: effect, times: 1 }',
    replace: 'then: effect, times: 1_000 }',
    killedBy: ['test/node/record/scenario-from-trace.test.ts'],
  },
];
