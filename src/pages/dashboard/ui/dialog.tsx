import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Button, type ButtonProps } from './button.js';

interface DialogProps {
  readonly title: string;
  readonly closed: () => void;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export function Dialog({ title, closed, class: more = '', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeft = useRef(false);
  // The browser fires `close` in a later task. A key that is pressed before it belongs to the page, and the next dialog must survive it.
  const leave = (): void => {
    if (isLeft.current) return;
    isLeft.current = true;
    dialog.current?.close();
    closed();
  };
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isLeft.current = true;
      // Gives the focus back.
      shown?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`stack ${more}`}
      aria-labelledby="dialog-title"
      onCancel={leave}
      onClose={leave}
      onMouseDown={({ target }) => {
        if (target === dialog.current) leave();
      }}
      onSubmit={(event) => {
        if ((event.target as HTMLFormElement).method !== 'dialog') return;
        event.preventDefault();
        leave();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmButtonProps extends Omit<ButtonProps, 'run'> {
  readonly question: string;
  readonly consequence: string;
  readonly confirm: string;
  readonly run: () => void;
}

/** A button that asks first, because nothing undoes what it does. */
export function ConfirmButton({
  question,
  consequence,
  confirm,
  run,
  children,
  label,
  ...button
}: ConfirmButtonProps) {
  const [isAsking, ask] = useState(false);
  const answer = (): void => {
    ask(false);
    run();
  };
  return (
    <>
      <Button {...button} label={label && `${label}…`} run={() => ask(true)}>
        {children}…
      </Button>
      {isAsking ? (
        <Dialog title={question} closed={() => ask(false)}>
          <p>{consequence}</p>
          <form method="dialog" class="row">
            {/* Enter must not do what nothing undoes. */}
            <button autofocus>Cancel</button>
            <button type="button" class="danger" onClick={answer}>
              {confirm}
            </button>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}
