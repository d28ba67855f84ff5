import { useState } from 'preact/hooks';

import { hrefOf } from '../../state/route.js';
import { store } from '../../state/store.js';
import { type Exchange, type JobPage, type RecordDetail, textOf } from '../../state/wire.js';
import { callToExplain, type ChargeHistory, figureOf, statusOf } from '../../text/charge.js';
import { fallOf } from '../../text/fall.js';
import { counted, shortId } from '../../text/format.js';
import { type Act, failedOf, nextOf, nodesOf } from '../../text/path.js';
import type { Said } from '../../text/said.js';
import { storyOf } from '../../text/story.js';
import { dayOf } from '../../text/when.js';
import { Copy, Status, Title, WhenLoaded } from '../../ui/parts.js';
import { Path as PathOfStates } from '../../ui/path.js';
import { RecordFields } from '../../ui/record-fields.js';
import { Sentence } from '../../ui/said.js';
import { Waterfall } from '../../ui/waterfall.js';
import { advance } from '../advance.js';
import { CallInspector } from '../call.js';
import { DeliveryInspector } from '../delivery.js';
import { known } from '../known.js';
import { linkOf } from '../links.js';
import { sendCall } from '../send.js';
import { nameOf, sourceOf } from './columns.js';

/** The page of a charge: what happened, why, and what happens next. */
export function ChargeView({ id }: { id: string }) {
  return (
    <WhenLoaded
      of={store.cache.read<RecordDetail>(`/records/charges/${encodeURIComponent(id)}`)}
      show={({ Record: record, Timeline: timeline, Decisions: decisions }) => (
        <Charge record={record} timeline={timeline} decisions={decisions} now={store.now.value} />
      )}
    />
  );
}

function Charge(charge: ChargeHistory) {
  const { record, timeline } = charge;
  const [isBusy, setBusy] = useState(false);
  const explaining = callToExplain(timeline);
  const explained =
    explaining === null ? null : store.cache.read<Exchange>(`/journal/${explaining}`, 'lasting').data;
  const open = store.route.value.query.get('open') ?? (explaining === null ? '' : String(explaining));
  const story = storyOf(charge, explained, known());
  const act = (what: Act): void => {
    setBusy(true);
    void perform(what).finally(() => setBusy(false));
  };
  return (
    <div class="investigating">
      <div class="investigate">
        <div class="charge">
          <Head record={record} />
          <dl class="story">
            <Told as="What" of={story.what} />
            <Told as="Why" of={story.why} />
            <Told as="Next" of={story.next} />
          </dl>
          <section aria-label="State">
            <PathOfStates
              // An amount that was being typed is gone when the state changes.
              key={statusOf(record)}
              nodes={nodesOf(charge)}
              failed={failedOf(charge)}
              next={nextOf(charge)}
              busy={isBusy}
              onAct={act}
            />
          </section>
          <Happened charge={charge} open={open} isBusy={isBusy} act={act} />
        </div>
        {/^\d+$/.test(open) ? (
          <CallInspector key={open} entry={open} provider={textOf(record, 'Provider', 'Name')} />
        ) : open === '' ? null : (
          <DeliveryInspector key={open} id={open} />
        )}
        <RecordFields record={record} linkOf={linkOf} />
      </div>
    </div>
  );
}

/** Does what a person asked for, until it is answered. */
async function perform(act: Act): Promise<void> {
  if (act.does === 'run') return advance({ To: act.to });
  if (act.does === 'simulate') {
    await store.act('POST', '/simulate', { Action: act.action, Ref: act.ref }, 'Done.');
    return;
  }
  const [Path = '', Query = ''] = act.path.split('?');
  const Headers = act.body === null ? {} : { 'content-type': 'application/json' };
  await sendCall({ Method: act.method, Path, Query, Headers, Body: act.body });
}

function Told({ as: name, of }: { as: string; of: Said }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Sentence of={of} linkOf={linkOf} />
      </dd>
    </>
  );
}

function Head({ record }: Pick<ChargeHistory, 'record'>) {
  const id = textOf(record, 'ChargeId');
  const status = statusOf(record);
  const reference = textOf(record, 'Reference');
  const customer = textOf(record, 'CustomerId');
  const source = sourceOf(record['PaymentInformation']).replace(/\*+/, ' •••• ');
  return (
    <div class="head">
      <p>
        <a href={hrefOf('charges')}>Charges</a> › {reference || shortId(id)}
      </p>
      <Title text={figureOf(record)} window={`${reference || shortId(id)}, ${status}`} isFigure>
        <Status of={status} />
      </Title>
      <p class="row soft dots">
        {source === '' ? null : <span>{source}</span>}
        {customer === '' ? null : (
          <span>
            <a href={hrefOf('customers', customer)}>
              {nameOf((record['Customer'] ?? {}) as ChargeHistory['record']) || shortId(customer)}
            </a>
          </span>
        )}
        <span>provider {textOf(record, 'Provider', 'Name')}</span>
        <span>
          <code title={id}>{shortId(id)}</code> <Copy text={id} of="the identifier" />
        </span>
      </p>
    </div>
  );
}

interface HappenedProps {
  readonly charge: ChargeHistory;
  readonly open: string;
  readonly isBusy: boolean;
  readonly act: (act: Act) => void;
}

function Happened({ charge, open, isBusy, act }: HappenedProps) {
  const [isWhole, setWhole] = useState(false);
  const fall = fallOf(charge, isWhole);
  // What is due in the whole world: an advance runs all of it.
  const jobs = store.cache.read<JobPage>('/jobs?Limit=100').data?.Jobs ?? [];
  const runs = (at: string): string =>
    `runs ${counted(jobs.filter(({ At }) => At <= at).length, 'job')} of the world`;
  return (
    <section aria-labelledby="fall-title">
      <div class="row between">
        <h2 id="fall-title">Calls and webhooks</h2>
        {fall.folded === 0 && !isWhole ? null : (
          <button type="button" class="plain" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show ${fall.folded} earlier`}
          </button>
        )}
      </div>
      <Waterfall
        fall={fall}
        caption={`${dayOf(new Date(charge.now).toISOString(), charge.now)}, world time`}
        picked={open}
        busy={isBusy}
        runs={runs}
        onPick={(picked) => store.refine({ open: picked })}
        onRun={(to) => act({ does: 'run', to })}
      />
    </section>
  );
}
