import type { ComponentChildren } from 'preact';

/** A button that sends a call at once. */
export function Button({ label, run, kind, children, ...more }: ButtonProps) {
  return (
    <button type="button" class={kind} aria-label={label} disabled={more.isDisabled} onClick={run}>
      {children}
    </button>
  );
}

export interface ButtonProps {
  readonly run: () => void;
  /** The accessible name, for a button whose text others share. */
  readonly label?: string | undefined;
  readonly kind?: 'main' | 'plain' | 'danger' | undefined;
  readonly isDisabled?: boolean;
  readonly children?: ComponentChildren;
}
