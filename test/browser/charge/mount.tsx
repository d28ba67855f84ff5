/** @jsxImportSource preact */
import { render } from 'preact';
import { useState } from 'preact/hooks';

import { callTabs } from '../../../src/pages/dashboard/ui/call.js';
import { Plot } from '../../../src/pages/dashboard/ui/plot.js';
import { ChargeView } from '../../../src/pages/dashboard/views/charge.js';
import type { Picked } from '../../../src/pages/dashboard/text/fall.js';
import type { FacetsResponse } from '../../../src/control/journal/schema.js';
import type { Look } from '../../pages/dashboard/look.js';

interface Given extends Look {
  readonly facets: FacetsResponse;
}

const given = JSON.parse(document.getElementById('given')?.textContent ?? '') as Given;
const done = (what: string, value: unknown): void => {
  document.title = `${what} ${JSON.stringify(value)}`;
};
const linkOf = (field: string, value: string): string | null =>
  /^(?:CustomerId|PaymentMethodId|Rule|ThreeDsRedirectUrl|Code)$/.test(field) ? `#${field}/${value}` : null;

function Page() {
  const { explained: call, known, facets, now } = given;
  const [picked, pick] = useState<Picked | null>(call === null ? null : { entry: call.EntryId });
  const [tab, show] = useState('Why');
  const [result, setResult] = useState<Parameters<typeof Plot>[0]['result']>(null);
  const [since, setSince] = useState<string | null>(null);
  const rest = { known, linkOf, busy: false, onCopy: (text: string) => done('copy', text) };
  const tabs =
    call === null
      ? []
      : callTabs({
          ...rest,
          call,
          provider: 'steady',
          origin: 'http://127.0.0.1:4010',
          onAgain: () => done('again', ''),
          onRule: (yaml) => done('rule', yaml),
        });
  return (
    <div class="body">
      <nav aria-label="Views" />
      <main>
        <ChargeView
          {...given}
          {...rest}
          picked={picked}
          onPick={pick}
          onRun={(to) => done('run', to)}
          onAct={(act) => done('act', act)}
        >
          {call === null ? null : (
            <aside class="inspector" aria-label="The selected call">
              <header>
                <h2 class="row">
                  <span class="mark bad">{call.Status}</span> {call.Method} {call.Operation}
                </h2>
                <div class="tabs" role="tablist" aria-label="Parts">
                  {tabs.map(([name]) => (
                    <button
                      key={name}
                      type="button"
                      role="tab"
                      aria-selected={name === tab}
                      onClick={() => show(name)}
                    >
                      {name}
                    </button>
                  ))}
                </div>
              </header>
              <div role="tabpanel" aria-label={tab}>
                {tabs.find(([name]) => name === tab)?.[1]()}
              </div>
            </aside>
          )}
        </ChargeView>
        <Plot
          periods={facets.Periods}
          now={now}
          result={result}
          onResult={setResult}
          selected={since}
          onSelect={setSince}
        />
      </main>
    </div>
  );
}

render(<Page />, document.body);
