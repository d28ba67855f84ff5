import { signal } from '@preact/signals';

interface NoticeButton {
  readonly label: string;
  readonly run: () => void;
  /** A sentence about what the button cannot undo, such as "Webhooks that were sent cannot be undone." */
  readonly lasting?: string;
}

export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
  /** A button of the notice, such as "Undo" or "Show what ran". */
  readonly more?: NoticeButton | undefined;
  /** Figures after the text, each with the list that it counts. */
  readonly links?: readonly { readonly text: string; readonly href: string }[];
}

/** How long a notice of something done is shown, in milliseconds; longer if it has a button. */
const DONE_MS = 8_000;
const BUTTON_MS = 60_000;

/** The newest notice. One of something done goes after a while, since it is not true for ever; an error stays. */
export const notice = signal<Notice | null>(null);

notice.subscribe((shown) => {
  if (shown === null || shown.isBad) return;
  const end = (): void => {
    if (notice.peek() !== shown) return;
    if (document.querySelector('.notices :is(:hover, :focus-visible)') === null) notice.value = null;
    else setTimeout(end, DONE_MS);
  };
  setTimeout(end, shown.more === undefined ? DONE_MS : BUTTON_MS);
});
