import { startDeadline } from '../../core/time/sleep.js';
import { formatFinding, headline, type SweepReport } from '../../sweep/report/report.js';
import { NODE_HOST } from '../machine/host.js';
import { describeTool, type ToolFields, ToolError } from './tools.js';

/** Less than most clients wait for a tool. */
const WAIT_MS = 30_000;
const Name = {
  type: 'string',
  description: 'The name of a finding, such as charged twice at charge.create order-1.',
};

/** The tools with which an agent sweeps one command, that of `--sweep`, and no other. */
export class SweepTools {
  readonly list: readonly ToolFields[];
  #running: Promise<SweepReport> | null = null;
  #report: SweepReport | null = null;

  constructor(
    command: string,
    private readonly sweep: () => Promise<SweepReport>,
  ) {
    this.list = [
      describeTool(
        'sweep',
        `Run \`${command}\` once without faults, then once for each failure of the service, and report where money is lost. Call it again while it is running.`,
        {},
      ),
      describeTool(
        'explainFinding',
        'Explain a finding of the last sweep: the calls of its run, what to do, how to repeat it, and the scenario.',
        { Name },
        ['Name'],
      ),
    ];
  }

  async run(name: string, given: ToolFields): Promise<ToolFields> {
    return name === 'sweep' ? this.#sweep() : this.#explain(given['Name']);
  }

  /** Starts a sweep, or waits for the one that is running. */
  async #sweep(): Promise<ToolFields> {
    this.#running ??= this.sweep();
    // A failure while no call waits is reported to the next call.
    this.#running.catch(() => {});
    const wait = startDeadline(NODE_HOST, WAIT_MS);
    const report = await Promise.race([this.#running, wait.over.then(() => null)]).catch((error: unknown) => {
      this.#running = null;
      throw new ToolError((error as Error).message);
    });
    wait.end();
    if (report === null)
      return { Body: { Running: true, Message: 'Call sweep again to wait for its report.' } };
    this.#running = null;
    this.#report = report;
    const { safe, summary, findings, unproven, leftOut } = report;
    return {
      Body: {
        Safe: safe,
        Summary: summary,
        Headline: headline(report),
        Findings: findings.map(({ name, faults, risk }) => ({ Name: name, Faults: faults, Risk: risk })),
        NotProved: unproven,
        LeftOut: leftOut,
      },
    };
  }

  #explain(name: unknown): ToolFields {
    if (this.#report === null) throw new ToolError('There is no report yet. Call sweep first.');
    const { findings, setting } = this.#report;
    const finding = findings.find((known) => known.name === name);
    if (finding === undefined) {
      const names = findings.map((known) => JSON.stringify(known.name)).join(', ');
      throw new ToolError(
        `There is no finding ${JSON.stringify(name ?? null)}. Findings: ${names === '' ? 'none' : names}.`,
      );
    }
    const text = formatFinding(finding, findings.indexOf(finding) + 1, setting);
    return { Body: { Text: text, Scenario: finding.scenario } };
  }
}
