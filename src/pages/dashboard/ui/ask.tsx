import { useState } from 'hono/jsx/dom';

import { type ActProps, Dialog, useStore } from './parts.js';

interface AskedProps extends ActProps {
  /** The title of the dialog, a question. */
  readonly question: string;
  /** What the call deletes or changes. */
  readonly loses: string;
  /** The word of the button that sends the call. */
  readonly confirm: string;
}

/** A button that asks before it sends a call, because nothing undoes the call. */
export function AskedAct({ question, loses, confirm, children, ...act }: AskedProps) {
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const { method, path, body, done, label, kind, isDisabled = false } = act;
  const send = (): void => {
    setAsking(false);
    void store.act(method, path, body, done);
  };
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-label={label === undefined ? undefined : `${label}…`}
        disabled={isDisabled}
        onClick={() => setAsking(true)}
      >
        {children}…
      </button>
      {isAsking ? (
        <Dialog title={question} closed={() => setAsking(false)}>
          <p>{loses}</p>
          <form method="dialog" class="row">
            <button type="button" class="danger" onClick={send}>
              {confirm}
            </button>
            <button>Cancel</button>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}
