import { DEFAULT_KEY } from '../../core/keys.js';
import { quoteForShell } from '../../core/text/text.js';
import type { CodeLine, SweepFinding } from '../public.js';
import { WEBHOOK_SECRET } from '../run.js';
import { scenarioFile } from '../verdicts.js';

const URL = 'http://127.0.0.1:4010';
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
export function listRepeatSteps(
  { verdict, timeline, byHand, definition }: SweepFinding,
  n: number,
  { folder, command, options, settle }: ReportSetting,
): string[] {
  const file = quoteForShell(`${folder ?? FOLDER}/${scenarioFile(verdict, n)}`);
  const secret = definition.webhooks?.secret ?? WEBHOOK_SECRET;
  const hasLater = timeline.some(({ at }) => at !== null);
  const hasWebhooks = timeline.some(({ point }) => point.startsWith('webhook '));
  const save = command === null ? `Set report: './${FOLDER}'` : `Add --report ${FOLDER}`;
  return [
    ...(folder === null ? [`${save}, and run the sweep again: it saves the file of the next line.`] : []),
    `npx playmoney start --scenario ${file}${options}`,
    ...(command === null
      ? [
          `Run your flow once: address ${URL}, key ${DEFAULT_KEY}${hasWebhooks ? `, webhook secret ${secret}. http://shop.test/ becomes the address of your shop` : ''}.`,
        ]
      : [
          // Exported, so that a second start has the same folder.
          'export PLAYMONEY_DISK="$(mktemp -d)"',
          `PLAYMONEY_URL=${URL} PLAYMONEY_KEY=${DEFAULT_KEY} PLAYMONEY_WEBHOOK_SECRET=${quoteForShell(secret)} ${command.command}`,
        ]),
    ...(byHand === null ? [] : [byHand]),
    ...(hasLater
      ? ['npx playmoney advance 1h', ...listRecovery(command), `npx playmoney advance ${settle}`]
      : []),
  ];
}

function listRecovery(command: SweptCommand | null): string[] {
  if (command === null) return ['Run what recover() runs, if the flow returns it.'];
  return command.recover === null ? [] : [command.recover];
}
