/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { JobResponse as Job } from '../../../control/schema.js';
import { counted, shortId } from '../text/format.js';
import { type ChargeHistory, figureOf, statusOf } from '../text/charge.js';
import { fallOf, type Picked } from '../text/fall.js';
import type { LinkOf } from '../text/said.js';
import { type Act, failedOf, nextOf, nodesOf } from '../text/path.js';
import { storyOf } from '../text/story.js';
import { dayOf } from '../text/when.js';
import type { Known } from '../text/why.js';
import { type Exchange, textOf } from '../state/wire.js';
import { JsonTree } from '../ui/json.js';
import { Path } from '../ui/path.js';
import { RecordFields } from '../ui/record-fields.js';
import { Sentence } from '../ui/said.js';
import { Waterfall } from '../ui/waterfall.js';

export interface ChargeProps extends ChargeHistory {
  readonly known: Known;
  /** What is due in the whole world, the next first: the page says what an advance runs. */
  readonly jobs: readonly Job[];
  readonly picked: Picked | null;
  /** The call that explains the charge, by `callToExplain`; null if the journal no longer has it. */
  readonly explained: Exchange | null;
  readonly busy: boolean;
  readonly linkOf: LinkOf;
  readonly onCopy: (text: string, what: string) => void;
  readonly onPick: (picked: Picked) => void;
  readonly onRun: (to: string) => void;
  readonly onAct: (act: Act) => void;
  /** The inspector of the picked call or webhook. */
  readonly children?: ComponentChildren;
}

/** The page of a charge: what happened, why, and what happens next. */
export function ChargeView(props: ChargeProps) {
  const { record, linkOf, busy, known, explained, onAct, children } = props;
  const story = storyOf(props, explained, known);
  return (
    <div class="investigating">
      <div class="investigate">
        <div class="charge">
          <Head {...props} />
          <dl class="story">
            <dt>What</dt>
            <dd>
              <Sentence of={story.what} linkOf={linkOf} />
            </dd>
            <dt>Why</dt>
            <dd>
              <Sentence of={story.why} linkOf={linkOf} />
            </dd>
            <dt>Next</dt>
            <dd>
              <Sentence of={story.next} linkOf={linkOf} />
            </dd>
          </dl>
          <section aria-labelledby="path-title">
            <h2 id="path-title" class="unseen">
              State
            </h2>
            <Path
              // An amount that was being typed is gone when the state changes.
              key={statusOf(record)}
              nodes={nodesOf(props)}
              failed={failedOf(props)}
              next={nextOf(props)}
              busy={busy}
              onAct={onAct}
            />
          </section>
          <Happened {...props} />
        </div>
        {children}
        <section class="after" aria-label="The fields of the charge">
          <Fields record={record} linkOf={linkOf} />
        </section>
      </div>
    </div>
  );
}

function Head({ record, linkOf, onCopy }: ChargeProps) {
  const id = textOf(record, 'ChargeId');
  const customer = textOf(record, 'CustomerId');
  const href = customer === '' ? null : linkOf('CustomerId', customer);
  const name = ['FirstName', 'LastName']
    .map((field) => textOf(record, 'Customer', field))
    .join(' ')
    .trim();
  const source = sourceOf(record);
  return (
    <div class="head">
      <h1>
        <span class="num">{figureOf(record)}</span>{' '}
        <span class={`mark ${toneOf(record)}`}>{statusOf(record)}</span>
      </h1>
      <p class="row soft dots">
        {source === '' ? null : <span>{source}</span>}
        {href === null ? null : (
          <span>
            <a href={href}>{name || shortId(customer)}</a>
          </span>
        )}
        <span>provider {textOf(record, 'Provider', 'Name')}</span>
        <span>
          <code title={id}>{shortId(id)}</code>
          <button type="button" class="plain" onClick={() => onCopy(id, 'the identifier')}>
            Copy
          </button>
        </span>
      </p>
    </div>
  );
}

function sourceOf(record: ChargeHistory['record']): string {
  const type = textOf(record, 'PaymentInformation', 'Type');
  const card = textOf(record, 'PaymentInformation', 'Card', 'CardNumber').replace(/\*+/, ' •••• ');
  const scheme = textOf(record, 'PaymentInformation', 'Card', 'Type');
  if (card !== '') return `${scheme.charAt(0)}${scheme.slice(1).toLowerCase()} ${card}`;
  const account = textOf(record, 'PaymentInformation', 'BankPayment', 'AccountNumber');
  return account === '' ? type : `Bank account ${account.replace(/\*+/, '•••')}`;
}

function toneOf(record: ChargeHistory['record']): string {
  const status = statusOf(record);
  return status === 'SUCCESS' ? 'good' : status === 'FAILED' ? 'bad' : status === 'PENDING' ? 'warn' : 'info';
}

function Happened(props: ChargeProps) {
  const [isWhole, setWhole] = useState(false);
  const { now, jobs, picked, busy, onPick, onRun } = props;
  const fall = fallOf(props, isWhole);
  const runs = (at: string): string => {
    const due = jobs.filter(({ At }) => At <= at).length;
    return `runs ${counted(due, 'job')} of the world`;
  };
  return (
    <section aria-labelledby="fall-title">
      <div class="row between">
        <h2 id="fall-title">Calls and webhooks</h2>
        {fall.folded === 0 && !isWhole ? null : (
          <span class="row">
            {isWhole ? null : <span class="soft">{fall.folded} earlier</span>}
            <button type="button" class="plain" onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show less' : 'Show all'}
            </button>
          </span>
        )}
      </div>
      <Waterfall
        fall={fall}
        caption={`${dayOf(new Date(now).toISOString(), now)}, world time`}
        picked={picked}
        busy={busy}
        runs={runs}
        onPick={onPick}
        onRun={onRun}
      />
    </section>
  );
}

function Fields({ record, linkOf }: { record: ChargeHistory['record']; linkOf: LinkOf }) {
  const [isJson, setJson] = useState(false);
  return (
    <section aria-labelledby="record-title">
      <div class="row between">
        <h2 id="record-title">Fields</h2>
        <button type="button" class="plain" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          As JSON
        </button>
      </div>
      {isJson ? (
        <JsonTree value={record} label="The charge as JSON" linkOf={linkOf} open={3} />
      ) : (
        <RecordFields record={record} linkOf={linkOf} />
      )}
    </section>
  );
}
