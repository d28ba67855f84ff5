import { DEFAULT_KEY } from '../../core/keys.js';
import { quoteForShell } from '../../core/text/text.js';
import type { CodeLine, SweepFinding } from '../public.js';
import { WEBHOOK_SECRET } from '../run.js';
import { formatRaceSteps } from './race-steps.js';
import { scenarioFile } from '../verdicts.js';

export const SERVER_URL = 'http://127.0.0.1:4010';
/** Where the messages tell users to save a report. */
const FOLDER = 'sweep';

/** A command that was swept. */
export interface SweptCommand {
  /** The command and the one that checks open orders, as a shell reads them. */
  readonly command: string;
  readonly recover: string | null;
}

/** Where a report is read, and what was swept. */
export interface ReportSetting {
  /** The folder with the files of the report; null if it was not saved. */
  readonly folder: string | null;
  /** The path of the guide, for links. */
  readonly guide: string;
  /** The place of findings whose line is unknown: code hosts need one. */
  readonly script: CodeLine;
  /** How long each run waits at its end. */
  readonly settle: string;
  /** Null for a flow. */
  readonly command: SweptCommand | null;
  /** The options of `start` besides the scenario, such as ` --strict`. */
  readonly options: string;
}

/** How to repeat a finding by hand, one step a line; `n` counts findings from 1. */
export function listRepeatSteps(finding: SweepFinding, n: number, setting: ReportSetting): string[] {
  const { verdict, timeline, byHand } = finding;
  const { folder, command, options, settle } = setting;
  const file = quoteForShell(`${folder ?? FOLDER}/${scenarioFile(verdict, n)}`);
  const hasLater = timeline.some(({ at }) => at !== null);
  const save = command === null ? `Set report: './${FOLDER}'` : `Add --report ${FOLDER}`;
  return [
    ...(folder === null ? [`${save}, and run the sweep again: it saves the file of the next line.`] : []),
    `npx playmoney start --scenario ${file}${options}`,
    ...(command === null ? listFlowSteps(finding) : listCommandSteps(finding, command)),
    ...(byHand === null ? [] : [byHand]),
    ...(hasLater
      ? ['npx playmoney advance 1h', ...listRecovery(command), `npx playmoney advance ${settle}`]
      : []),
  ];
}

function findSecret({ definition }: SweepFinding): string {
  return definition.webhooks?.secret ?? WEBHOOK_SECRET;
}

function listFlowSteps(finding: SweepFinding): string[] {
  const { timeline, race } = finding;
  const webhooks = timeline.some(({ point }) => point.startsWith('webhook '))
    ? `, webhook secret ${findSecret(finding)}. http://shop.test/ becomes the address of your shop`
    : '';
  const until = race.length === 0 ? 'once' : 'up to together';
  const run = `Run your flow ${until}: address ${SERVER_URL}, key ${DEFAULT_KEY}${webhooks}.`;
  return [run, ...formatRaceSteps(race, SERVER_URL, (party) => `Start the ${party} function of together.`)];
}

function listCommandSteps(finding: SweepFinding, { command }: SweptCommand): string[] {
  const { race } = finding;
  const secret = quoteForShell(findSecret(finding));
  const run = `PLAYMONEY_URL=${SERVER_URL} PLAYMONEY_KEY=${DEFAULT_KEY} PLAYMONEY_WEBHOOK_SECRET=${secret} ${command}`;
  return [
    // Exported, so that a second start has the same folder.
    'export PLAYMONEY_DISK="$(mktemp -d)"',
    ...(race.length === 0 ? [run] : formatRaceSteps(race, SERVER_URL, () => `${run} &`)),
  ];
}

function listRecovery(command: SweptCommand | null): string[] {
  if (command === null) return ['Run what recover() runs, if the flow returns it.'];
  return command.recover === null ? [] : [command.recover];
}
