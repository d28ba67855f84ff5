import { useState } from 'preact/hooks';

import { viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import { type FullCall, type JobPage, readTextAt } from '../../state/wire.js';
import { findCallToExplain, type ChargeHistory, formatMainAmount, readStatus } from '../../text/charge.js';
import { buildWaterfall, type WaterfallTable } from '../../text/waterfall.js';
import { explainStatus } from '../../text/explain.js';
import { labelRun } from '../../text/advance.js';
import { abbreviateId } from '../../text/format.js';
import { summariseFailures, listPossibleSteps, listReachedStates } from '../../text/charge-states.js';
import type { RecordAction } from '../../text/steps.js';
import type { SentenceParts } from '../../text/sentence.js';
import { buildStory } from '../../text/charge-story.js';
import { formatDay } from '../../text/when.js';
import { ExplainButton } from '../../ui/explain.js';
import { CopyButton } from '../../ui/copy.js';
import { StatusMark } from '../../ui/marks.js';
import { Title } from '../../ui/panel.js';
import { StatePath } from '../../ui/state-path.js';
import { RecordFields } from '../../ui/record-fields.js';
import { SentenceText } from '../../ui/sentence.js';
import { Waterfall } from '../../ui/waterfall.js';
import { performAction } from '../send.js';
import { CallInspector } from '../call.js';
import { DeliveryInspector } from '../delivery.js';
import { readDecisionContext } from '../decision-context.js';
import { linkOf } from '../links.js';
import { ReferenceLink } from '../reference-link.js';
import { formatCustomerName, formatSource } from '../../text/names.js';
import { LoadedRecord } from './record.js';

/** The page of a charge: what happened, why, and what happens next. */
export function ChargeView({ id }: { id: string }) {
  return (
    <LoadedRecord
      kind={{ view: 'charges', one: 'charge', many: 'charges' }}
      id={id}
      show={({ Record: record, Timeline: timeline, Decisions: decisions }) => (
        <ChargePage record={record} timeline={timeline} decisions={decisions} now={store.now.value} />
      )}
    />
  );
}

function ChargePage(charge: ChargeHistory) {
  const { record, timeline } = charge;
  const [isBusy, setBusy] = useState(false);
  const explaining = findCallToExplain(timeline);
  const explained =
    explaining === null ? null : store.cache.read<FullCall>(`/journal/${explaining}`, 'lasting').data;
  const open = store.route.value.query.get('open') ?? (explaining === null ? '' : String(explaining));
  const story = buildStory(charge, explained, readDecisionContext());
  const act = (what: RecordAction): void => {
    setBusy(true);
    void performAction(what).finally(() => setBusy(false));
  };
  return (
    <div class="investigating">
      <div class="investigate">
        <div class="charge">
          <ChargeHead record={record} />
          <dl class="story">
            <StoryItem as="What" sentence={story.what} />
            <StoryItem as="Why" sentence={story.why} />
            <StoryItem as="Next" sentence={story.next} />
          </dl>
          <section aria-label="State">
            <StatePath
              // An amount that was being typed is gone when the state changes.
              key={readStatus(record)}
              nodes={listReachedStates(charge)}
              failed={summariseFailures(charge)}
              next={listPossibleSteps(charge)}
              busy={isBusy}
              // The service takes no call without the key.
              hasKey={store.access.world === null}
              onAct={act}
            />
          </section>
          <ChargeWaterfall
            build={(isWhole) => buildWaterfall(charge, isWhole)}
            now={charge.now}
            open={open}
            isBusy={isBusy}
            act={act}
          />
        </div>
        {/^\d+$/.test(open) ? (
          <CallInspector key={open} entry={open} provider={readTextAt(record, 'Provider', 'Name')} />
        ) : open === '' ? null : (
          <DeliveryInspector key={open} id={open} />
        )}
        <RecordFields record={record} linkOf={linkOf} />
      </div>
    </div>
  );
}

function StoryItem({ as: name, sentence }: { as: string; sentence: SentenceParts }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <SentenceText sentence={sentence} linkOf={linkOf} />
      </dd>
    </>
  );
}

function ChargeHead({ record }: Pick<ChargeHistory, 'record'>) {
  const id = readTextAt(record, 'ChargeId');
  const status = readStatus(record);
  const reference = readTextAt(record, 'Reference');
  const customer = readTextAt(record, 'CustomerId');
  const source = formatSource(record['PaymentInformation']).replace(/\*+/, ' •••• ');
  return (
    <div class="head">
      <p>
        <a href={viewHref('charges')}>Charges</a> ›{' '}
        {reference === '' ? abbreviateId(id) : <ReferenceLink reference={reference} />}
      </p>
      <Title text={formatMainAmount(record)} window={`${reference || abbreviateId(id)}, ${status}`} isFigure>
        <StatusMark status={status} />
        <ExplainButton about={explainStatus(status, readDecisionContext())} linkOf={linkOf} />
      </Title>
      <p class="row soft dots">
        {source === '' ? null : <span>{source}</span>}
        {customer === '' ? null : (
          <span>
            <a href={viewHref('customers', customer)}>
              {formatCustomerName((record['Customer'] ?? {}) as ChargeHistory['record']) ||
                abbreviateId(customer)}
            </a>
          </span>
        )}
        <span>provider {readTextAt(record, 'Provider', 'Name')}</span>
        <span>
          <code title={id}>{abbreviateId(id)}</code> <CopyButton text={id} subject="the identifier" />
        </span>
      </p>
    </div>
  );
}

interface ChargeWaterfallProps {
  readonly build: (isWhole: boolean) => WaterfallTable;
  readonly now: number;
  readonly open: string;
  readonly isBusy: boolean;
  readonly act: (act: RecordAction) => void;
}

/** The calls and webhooks of a charge, or of the charges of an order. */
export function ChargeWaterfall({ build, now, open, isBusy, act }: ChargeWaterfallProps) {
  const [isWhole, setWhole] = useState(false);
  const fall = build(isWhole);
  // An advance runs the jobs of the whole world, not only those of the charge.
  const { data } = store.cache.read<JobPage>('/jobs?Limit=100');
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
        table={fall}
        caption={`${formatDay(new Date(now).toISOString(), now)}, world time`}
        picked={open}
        busy={isBusy}
        runLabel={(at, place) => (data === null ? `Run to ${place}` : labelRun(data, at, place))}
        onPick={(picked) => store.changeQuery({ open: picked })}
        onRun={(to) => act({ does: 'run', to })}
      />
    </section>
  );
}
