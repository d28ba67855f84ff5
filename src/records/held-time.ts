/** A held call waits until somebody decides it, its time is over, the holds are deleted, or its world or server ends. */
export const HOLD_ENDS = ['hand', 'timeout', 'delete', 'end'] as const;
export type HoldEnd = (typeof HOLD_ENDS)[number];

export interface HeldTime {
  readonly by: HoldEnd;
  /** In real time. */
  readonly ms: number;
}
