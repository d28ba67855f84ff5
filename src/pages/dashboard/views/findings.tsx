import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { FindingsResponse } from '../state/wire.js';
import { formatQuantity } from '../text/format.js';
import { WhenLoaded } from '../ui/panel.js';
import { DownloadPageButton } from './download.js';

type ListedFinding = FindingsResponse['Findings'][number];

const SHOWN_MAX = 6;

const readFindings = () => store.cache.read<FindingsResponse>('/findings');

/** Where a finding leads: to its order, its calls or the webhooks of its receiver. */
function findingHref({ Kind, Reference, Url, EntryIds }: ListedFinding): string {
  if (Reference !== null) return viewHref('orders', Reference);
  if (Url !== null) return viewHref('webhooks', null, { Url });
  const [first] = EntryIds;
  const open = first === undefined ? null : String(first);
  return viewHref('calls', null, { Result: Kind === 'answers lost' ? 'unanswered' : 'refused', open });
}

function FindingLine({ finding }: { finding: ListedFinding }) {
  return (
    <a href={findingHref(finding)} class={finding.Kind === 'charged twice' ? 'finding strong' : 'finding'}>
      <bdi>{finding.Message}</bdi>
    </a>
  );
}

/** The findings of the world, the worst first. */
export function FindingsCard() {
  return (
    <section class="panel stack findings" aria-labelledby="findings-title">
      <div class="row">
        <h2 id="findings-title">Findings</h2>
        <DownloadPageButton />
      </div>
      <WhenLoaded
        loaded={readFindings()}
        show={({ Count, Findings }) => (
          <>
            {Count === 0 ? <p class="soft">Nothing looks wrong in this world.</p> : null}
            <ul class="stack">
              {Findings.slice(0, SHOWN_MAX).map((finding) => (
                <li key={finding.Message}>
                  <FindingLine finding={finding} />
                </li>
              ))}
            </ul>
            {Count > SHOWN_MAX ? <p class="soft">and {Count - SHOWN_MAX} more</p> : null}
          </>
        )}
      />
    </section>
  );
}

/** The number of findings, in the bar. */
export function FindingsBadge() {
  const count = (store.isOpen.value ? readFindings().data?.Count : 0) ?? 0;
  if (count === 0) return null;
  return (
    <a class="badge" href={viewHref('overview')} title="What looks wrong in this world">
      {formatQuantity(count, 'finding')}
    </a>
  );
}

/** An order that was charged twice, above every view but those that list it: nobody should have to look for it. */
export function DoubleChargeLine() {
  const { view } = store.route.value;
  if (!store.isOpen.value || view === 'overview' || view === 'orders') return null;
  const worst = readFindings().data?.Findings[0];
  if (worst?.Kind !== 'charged twice') return null;
  return (
    <section class="ribbon bad" aria-label="Findings">
      <FindingLine finding={worst} />
      <DownloadPageButton />
    </section>
  );
}
