import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  createSandbox,
  type Order,
  type Receive,
  sweep,
  type SweepFlow,
  type SweepReport,
} from '../../src/index.js';
import { Parties } from '../../src/node/sweep/parties.js';
import {
  reportAsHtml,
  reportJson,
  reportAsJunit,
  reportAsMarkdown,
  reportAsSarif,
} from '../../src/sweep/report/report-files.js';
import { escapeHtml } from '../../src/control/pages/html.js';
import { folder } from '../support/folder.js';
import type { BuggyShop } from './shops/client.js';
import { BUGGY } from './shops/index.js';
import { blindRetry, HOOK, order, pay } from './support.js';

const CHARGED_TWICE = 'charged twice at charge.create order-1';
const NOT_PAID = 'delivered, not paid at charge.create order-1';

const few = { faults: ['lost', 'cut', 'elsewhere'], pairs: false } as const;

interface SarifText {
  readonly text: string;
}

/** What code hosts need of SARIF. */
interface SarifLog {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: SarifText;
          readonly fullDescription: SarifText;
          readonly help: SarifText;
        }[];
      };
    };
    readonly results: readonly {
      readonly ruleId: string;
      readonly message: SarifText;
      readonly partialFingerprints: { readonly primaryLocationLineHash: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number };
        };
      }[];
    }[];
  }[];
}

const allOf = (report: SweepReport): string[] => [
  report.toString(),
  ...[reportJson, reportAsHtml, reportAsJunit, reportAsSarif, reportAsMarkdown].map((write) => write(report)),
];

describe('The report', () => {
  test('writes each amount with the decimals of its currency', async () => {
    const yen = { Amount: 500, Currency: 'JPY' };
    const flow: SweepFlow = async (context) => {
      await pay(context, 'order-1', yen).catch(() => pay(context, 'order-1', yen));
    };
    const { findings } = await sweep(flow, { faults: ['lost'] });
    expect(findings.map(({ story }) => story).join()).toContain('The service took 1000 JPY');
  });

  test('says what went wrong, with the calls and an advice', async () => {
    const report = await sweep(blindRetry, few);
    expect(report.toString()).toBe(
      [
        'sweep: NOT SAFE. 1 point, 3 runs: 1 charged twice, 1 delivered, not paid, 1 recovered',
        'A customer can be charged twice if an answer is lost. Fix this first.',
        '',
        '1. CHARGED TWICE at charge.create order-1: lost',
        '   The call was performed, but the connection was reset before its answer arrived. The service took 10.00 AUD for order-1; ordered: 5.00 AUD.',
        '     charge.create order-1  POST /charge/token → no answer   ← lost',
        '     charge.create order-1 #2  POST /charge/token → 201 SUCCESS 5   ← charged again',
        '   In your code: test/sweep/support.ts:17',
        '   Search for the Reference before you charge again: the service has no idempotency key, so a second call is a second charge. (docs/guides/sweep.md#charged-twice)',
        '   Repeat it by hand:',
        "     Set report: './sweep', and run the sweep again: it saves the file of the next line.",
        '     npx playmoney start --scenario sweep/1-charged-twice.yaml',
        '     Run your flow once: address http://127.0.0.1:4010, key sk_test_local.',
        '',
        '2. DELIVERED, NOT PAID at charge.create order-1: elsewhere',
        '   The call did not reach the service: a proxy answered it with status 200 and a page. The service took 0.00 AUD for order-1, and the program believes that 5.00 AUD is paid.',
        '     charge.create order-1  POST /charge/token → 200   ← elsewhere',
        '   In your code: test/sweep/support.ts:17',
        '   Deliver only what the service says is paid: a charge with Status SUCCESS, in its own answer or in a webhook whose signature is right. (docs/guides/sweep.md#delivered-not-paid)',
        '   Repeat it by hand:',
        "     Set report: './sweep', and run the sweep again: it saves the file of the next line.",
        '     npx playmoney start --scenario sweep/2-delivered-not-paid.yaml',
        '     Run your flow once: address http://127.0.0.1:4010, key sk_test_local.',
        '',
        'Not tried: 4',
        '  faults: late, broken, gateway timeout, declined, expired, first, meanwhile, twice, lost webhook, late webhook, swapped, forged, late decline, provider down, refused, garbled, unavailable, limited, declined for good, down, hang, in flight, crash before, crash after',
        '  two things at once: with together in a flow, or --twice',
        '  amounts: without expect, those of the run without faults count as right',
        '  operations: charge.capture, charge.void, charge.refund, charge.read, charge.search, customer.*, paymentMethod.*, vault.*, batch.*, token.*, checkout.*, authentication.*, provider.*, info.*, webhookSubscription.*, subscription.*, paymentLink.*, transfer.*, settlement.*, version.*',
      ].join('\n'),
    );
    expect(() => report.assertSafe()).toThrow(report.toString());
    expect(report.findings[0]).toMatchObject({
      name: CHARGED_TWICE,
      verdict: 'charged twice',
      faults: ['lost'],
      reference: 'order-1',
      currency: 'AUD',
      ordered: 5,
      taken: 10,
      believed: 'paid',
    });
  });

  test('is the same twice, byte for byte', async () => {
    expect(allOf(await sweep(blindRetry))).toEqual(allOf(await sweep(blindRetry)));
  });

  test('has webhooks after the calls that caused them, and what the flow threw', async () => {
    const flow: SweepFlow = async (context) => {
      context.receive(() => new Response(null, { status: 204 }));
      const { ok } = await pay(context, 'order-1', HOOK);
      if (!ok) throw new Error('not paid\nand more');
      return { orders: () => [order()] };
    };
    const { findings } = await sweep(flow, { faults: ['broken'] });
    expect(findings.map(({ verdict, story }) => [verdict, story])).toEqual([
      [
        'paid, not delivered',
        'The call was performed, but its answer was an error with status 500. The service took 5.00 AUD for order-1, and the program believes: unpaid. The program failed: not paid',
      ],
    ]);
    expect(findings[0]?.timeline).toEqual([
      { at: null, point: 'charge.create order-1', text: 'POST /charge/token → 500', note: 'broken' },
      {
        at: null,
        point: 'webhook transaction.status.changed order-1',
        text: 'SUCCESS 5 → answered 204',
        note: null,
      },
    ]);
  });

  test('says that a refund is unknown, and not that an order was not paid', async () => {
    const flow: SweepFlow = async (context) => {
      const { ChargeId } = (await (await pay(context)).json()) as { ChargeId: string };
      const refund = `${context.url}/refund/${ChargeId}?Amount=5`;
      const answer = await context.fetch(refund, { method: 'DELETE' }).catch(() => null);
      return { orders: () => [{ ...order(), refunded: answer?.ok ? 5 : 0 }] };
    };
    const report = await sweep(flow, { faults: ['broken'], pairs: false });
    const [finding] = report.findings.filter(({ point }) => point === 'charge.refund order-1');
    expect(finding).toMatchObject({
      verdict: 'delivered, not paid',
      risk: 'A refund can be made that the program does not know of if a call is performed but answered with an error.',
      story: expect.stringContaining('Only 0.00 AUD is left for order-1, less than the program believes.'),
      advice: expect.stringContaining('Read the charge and its RefundedAmount'),
    });
    expect(reportJson(report)).not.toContain('isRefundUnknown');
  });

  test('says that no orders were given', async () => {
    const report = await sweep(async (context) => void (await pay(context)), { faults: ['refused'] });
    expect([report.safe, report.hasOrders]).toEqual([true, false]);
    expect(report.toString()).toContain('\nNo orders were given (orders() of the flow, or --orders)');
  });

  test('lists what the program hands over to a person', async () => {
    const flow: SweepFlow = async (context) => {
      const answer = await pay(context).catch(() => null);
      return { orders: () => [order(answer?.ok ?? null)] };
    };
    const report = await sweep(flow, { faults: ['lost'] });
    expect([report.safe, report.handedOver]).toEqual([true, ['charge.create order-1: lost']]);
    expect(report.toString()).toContain('Handed over to a person, so safe: 1\n  charge.create order-1: lost');
  });
});

test('A finding that is accepted is listed, and does not make a report unsafe.', async () => {
  const one = await sweep(blindRetry, { ...few, accept: [CHARGED_TWICE] });
  expect([one.safe, one.findings.map(({ isAccepted }) => isAccepted)]).toEqual([false, [true, false]]);
  expect(one.toString()).toContain('\n2. DELIVERED, NOT PAID');
  expect(one.toString()).not.toContain('1. CHARGED TWICE');
  const both = await sweep(blindRetry, { ...few, accept: [CHARGED_TWICE, NOT_PAID] });
  expect(both.safe).toBe(true);
  expect(both.toString()).toContain(`Accepted: 2\n  ${CHARGED_TWICE}\n  ${NOT_PAID}`);
  expect(reportAsJunit(both)).toContain('tests="3" failures="0" errors="0" skipped="2"');
  expect(JSON.parse(reportAsSarif(both))).toMatchObject({
    runs: [{ results: [{ suppressions: [{ kind: 'external' }] }, { suppressions: [{ kind: 'external' }] }] }],
  });
});

test('A name that is accepted and that no finding has is listed, with the nearest one.', async () => {
  const accept = [CHARGED_TWICE, 'charged twise at charge.create order-1', 'stuck at vault.delete'];
  const report = await sweep(blindRetry, { faults: ['lost'], pairs: false, accept });
  expect(report.safe).toBe(true);
  expect(report.toString()).toContain(
    `Accepted, but not found: 2\n  ${accept[1]}. Did you mean ${CHARGED_TWICE}?\n  ${accept[2]}\n`,
  );
  expect(reportAsHtml(report)).toContain('<h2>Accepted, but not found</h2>');
});

test('The worst finding comes first, also in the second line.', async () => {
  const flow: SweepFlow = async (context) => {
    const answer = await pay(context, 'a').catch(() => null);
    const again = (): Promise<Response> => pay(context, 'b');
    await again().catch(again);
    return { orders: () => [order(answer?.ok ?? null, 'a'), order(true, 'b')] };
  };
  const report = await sweep(flow, { faults: ['lost', 'elsewhere'], pairs: false });
  expect(report.findings.map(({ name }) => name)).toEqual([
    'charged twice at charge.create b',
    'delivered, not paid at charge.create a',
  ]);
  expect(report.summary).toBe(`${report.findings[0]?.risk} Fix this first.`);
});

describe('The files', () => {
  const NASTY = `<b>&"'\u0001]]>`;
  const nasty: SweepFlow = async (context) => {
    await pay(context, NASTY).catch(() => pay(context, NASTY));
    return { orders: () => [order(true, NASTY)] };
  };

  test('escape what others wrote', async () => {
    const report = await sweep(nasty, { faults: ['lost', 'refused'], pairs: false });
    const [html, xml] = [reportAsHtml(report), reportAsJunit(report)];
    expect(html).not.toContain('<b>');
    expect(html).toContain('charged twice at charge.create &lt;b&gt;&amp;&quot;&#39;');
    expect(html).not.toMatch(/<script|\bsrc=|\bhref=|@import|url\(/);
    expect(xml).not.toContain('\u0001');
    const failure = /<failure type="charged twice" message="(.*)">([^]*)<\/failure>/.exec(xml);
    expect(failure?.[1]).toBe('charged twice: A customer can be charged twice if an answer is lost.');
    const [finding] = report.findings;
    const whole = [
      ...report.toString().split('\n\nNot tried').slice(0, 1).join().split('\n').slice(3),
      '',
      ...(finding?.scenario.trimEnd().split('\n') ?? []),
    ];
    expect(failure?.[2]).toBe(escapeHtml(whole.join('\n')));
    expect(xml.replace(failure?.[0] ?? '', '<failure/>')).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuite name="playmoney sweep" tests="2" failures="1" errors="0" skipped="0">',
        '  <testcase classname="charge.create &lt;b&gt;&amp;&quot;&#39;\\u0001]]&gt;" name="lost"><failure/></testcase>',
        '  <testcase classname="charge.create &lt;b&gt;&amp;&quot;&#39;\\u0001]]&gt;" name="refused"/>',
        '</testsuite>\n',
      ].join('\n'),
    );
    expect(report.toString()).not.toContain('\u0001');
  });

  test('show in Markdown what others wrote as it is: no HTML, pictures, links, columns or lines', async () => {
    const reference = '<img src=x>![a](http://x/y)[b](z)|`c`\n# @you &lt; www.x.test';
    const flow: SweepFlow = async (context) => {
      await pay(context, reference).catch(() => pay(context, reference));
      return { orders: () => [order(true, reference)] };
    };
    const report = await sweep(flow, { faults: ['lost'], pairs: false });
    const lines = reportAsMarkdown(report).trim().split('\n');
    expect(lines).toHaveLength(7);
    const shown =
      'charge.create \\<img src=x\\>\\!\\[a\\](http\\://x/y)\\[b\\](z)\\|\\`c\\`\\\\n\\# \\@you \\&lt; www\\.x.test';
    expect(lines.at(-1)).toContain(shown);
    const { runs } = JSON.parse(reportAsSarif(report)) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    expect(runs[0]?.results[0]?.message.text).not.toContain('](');
  });

  test('forbid scripts and everything from elsewhere in the page', async () => {
    expect(reportAsHtml(await sweep(blindRetry, few))).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';`,
    );
  });

  test('are SARIF that code hosts accept: each rule has its texts, and each result a file and a line', async () => {
    const { runs } = JSON.parse(reportAsSarif(await sweep(blindRetry, few))) as SarifLog;
    const [{ tool, results } = { tool: { driver: { rules: [] } }, results: [] }] = runs;
    const ids = tool.driver.rules.map(({ id }) => id);
    for (const { shortDescription, fullDescription, help } of tool.driver.rules)
      for (const { text } of [shortDescription, fullDescription, help]) expect(text).not.toBe('');
    expect(results).toHaveLength(2);
    for (const { ruleId, message, locations, partialFingerprints } of results) {
      expect(ids).toContain(ruleId);
      expect(message.text).not.toBe('');
      expect(partialFingerprints.primaryLocationLineHash).toContain(' at charge.create order-1');
      const { physicalLocation } = locations[0] as (typeof locations)[0];
      const { uri } = physicalLocation.artifactLocation;
      // Relative to the repository: neither absolute, nor with a scheme, nor above it.
      expect(new URL(uri, 'x:///a/b/').href).toBe('x:///a/b/test/sweep/support.ts');
      expect(uri).toBe('test/sweep/support.ts');
      expect(physicalLocation.region.startLine).toBe(17);
    }
  });

  test('point in SARIF to the line that swept, if a call came over a port', async () => {
    const flow: SweepFlow = async ({ url, key }) => {
      const call = async (): Promise<Response> => pay({ url, key, fetch: globalThis.fetch });
      await call().catch(call);
      return { orders: () => [order()] };
    };
    const report = await sweep(flow, { faults: ['lost'], pairs: false, listen: true });
    expect(report.findings[0]?.source).toBeNull();
    const { runs } = JSON.parse(reportAsSarif(report)) as SarifLog;
    expect(runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(
      'test/sweep/report.test.ts',
    );
  });

  test('have a table that counts the runs with each result, and names their faults', async () => {
    const html = reportAsHtml(await sweep(blindRetry, { faults: ['lost', 'late', 'refused', 'declined'] }));
    const [, table = ''] = /<table>([^]*)<\/table>/.exec(html) ?? [];
    expect(table).toContain('<td class="bad">2<small>lost, late</small></td>');
    expect(table).toContain('<th scope="col">charged twice</th>');
  });

  test('are SARIF with a rule for each verdict, JSON, and a table in Markdown', async () => {
    const report = await sweep(blindRetry, few);
    const sarif = JSON.parse(reportAsSarif(report)) as {
      runs: [{ tool: { driver: { rules: { id: string }[] } } }];
    };
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'charged-twice', partialFingerprints: { name: CHARGED_TWICE } }, {}] }],
    });
    expect(sarif.runs[0].tool.driver.rules.map(({ id }) => id)).toEqual([
      'charged-twice',
      'delivered-not-paid',
    ]);
    expect(JSON.parse(reportJson(report))).toMatchObject({
      safe: false,
      points: 1,
      runs: 3,
      counts: { 'charged twice': 1, recovered: 1 },
      cells: [
        { point: 'charge.create order-1', fault: 'lost', verdict: 'charged twice', finding: CHARGED_TWICE },
        { fault: 'cut', verdict: 'recovered', finding: null },
        { fault: 'elsewhere' },
      ],
    });
    expect(reportAsMarkdown(report)).toContain(
      '| charged twice | charge.create order-1 | lost | The call was',
    );
  });

  test('are written into a folder, with the scenario of each finding, which repeats it by hand', async () => {
    const path = join(folder(), 'new', 'report');
    const report = await sweep(blindRetry, { ...few, report: path });
    expect(readdirSync(path).toSorted()).toEqual([
      '1-charged-twice.yaml',
      '2-delivered-not-paid.yaml',
      'sweep.html',
      'sweep.json',
      'sweep.junit.xml',
      'sweep.md',
      'sweep.sarif',
    ]);
    expect(report.toString()).toContain(`\n     npx playmoney start --scenario ${path}/1-charged-twice.yaml`);
    const scenario = { yaml: readFileSync(join(path, '1-charged-twice.yaml'), 'utf8') };
    using sandbox = createSandbox();
    const world = sandbox.world('sk_test_by_hand');
    await world.scenario.use(scenario);
    const { url, key } = world;
    const { orders } = await blindRetry({
      url,
      key,
      fetch: (input, init) => world.fetch(input, init),
    });
    expect(await world.reconcile(orders())).toMatchObject({
      balanced: false,
      findings: [{ kind: 'charged twice', reference: 'order-1', left: 10 }],
    });
  });
});

test.each(['new-reference', 'expired-token-is-paid', 'credited-twice', 'forged-webhook', 'credited-by-both'])(
  'Each finding in the shop %s is repeated by its scenario alone.',
  async (name) => {
    const { flow } = BUGGY.find((shop) => shop.name === name) as BuggyShop;
    const { findings } = await sweep(flow);
    expect(findings).not.toEqual([]);
    for (const { scenario } of findings) {
      let receiver: Receive = () => new Response(null, { status: 503 });
      using sandbox = createSandbox({
        clock: 'manual',
        webhookSecret: 'whsec_sweep',
        deliver: async ({ url, headers, body }) => {
          const answer = await receiver(new Request(url, { method: 'POST', headers, body }));
          return { status: answer?.status ?? 200 };
        },
      });
      const world = sandbox.world();
      await world.scenario.use({ yaml: scenario });
      const shop = await flow({
        world,
        url: world.url,
        key: world.key,
        fetch: (input, init) => world.fetch(input, init),
        webhookSecret: 'whsec_sweep',
        receive: (handler) => void (receiver = handler),
        disk: '',
        restarted: false,
        together: new Parties([]).together,
      });
      await world.settle();
      await world.clock.advance('1h');
      await shop.recover?.();
      await world.clock.advance('1d');
      expect(await world.reconcile(shop.orders() as Order[]), scenario).toMatchObject({ balanced: false });
    }
  },
);
