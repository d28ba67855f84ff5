/** What the page says at its lower edge. */
export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
  /** A button of the notice, such as "Undo" or "Show what ran". */
  readonly more?: { readonly label: string; readonly run: () => void } | undefined;
  /** Figures after the text, each with the list that it counts. */
  readonly links?: readonly { readonly text: string; readonly href: string }[];
}
