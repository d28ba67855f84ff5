import { useState } from 'hono/jsx/dom';

import { Act, type ActProps, Dialog, useStore } from './parts.js';

interface ConfirmedProps extends ActProps {
  readonly question: string;
  readonly consequence: string;
  readonly confirm: string;
}

/** A button that asks before it sends a call, because nothing undoes the call. */
export function ConfirmedAct({ question, consequence, confirm, children, ...act }: ConfirmedProps) {
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const { method, path, body, done, label } = act;
  const send = (): void => {
    setAsking(false);
    void store.act(method, path, body, done);
  };
  return (
    <>
      <Act {...act} label={label && `${label}…`} clicked={() => setAsking(true)}>
        {children}…
      </Act>
      {isAsking ? (
        <Dialog title={question} closed={() => setAsking(false)}>
          <p>{consequence}</p>
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
