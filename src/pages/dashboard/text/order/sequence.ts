import type { TimelineItem } from '../../state/wire.js';
import { LONG_ID } from '../format.js';
import { formatTime } from '../when.js';

/** The lifelines, from left to right. */
export const LIFELINES = ['Shop', 'Gateway', 'Receiver', 'Payer'] as const;

/** An arrow between two lifelines. */
export interface SequenceArrow {
  readonly at: string;
  /** Places in `LIFELINES`. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly kind: 'call' | 'answer' | 'lost';
  readonly isBad: boolean;
}

const [SHOP, GATEWAY, RECEIVER, PAYER] = [0, 1, 2, 3];

/** How the steps of a payer begin; other texts may end with a comment that the caller sent. */
const PAYER_STEP = /^(?:Challenge |The payer |Asked the payer |Authenticated without a challenge$)/;

/** The history of an order as arrows, in the order of its timeline. Jobs that are still due have none. */
export function buildSequence(timeline: readonly TimelineItem[]): SequenceArrow[] {
  return timeline.flatMap((item): SequenceArrow[] => {
    const { At: at, What, Status, Text, DeliveryId } = item;
    if (What === 'call') {
      const [line = ''] = Text.split(/: [^:]*$/);
      const text = line.replace(LONG_ID, (id) => `${id.slice(0, 8)}…`);
      return drawExchange({ at, from: SHOP, to: GATEWAY, text, status: Status ?? 0 });
    }
    if (What === 'attempt') {
      const text = describeMessage(timeline, DeliveryId);
      return drawExchange({ at, from: GATEWAY, to: RECEIVER, text, status: Status ?? 0 });
    }
    const isOfPayer = What !== 'due' && DeliveryId === null && PAYER_STEP.test(Text);
    return isOfPayer ? [drawStep(item)] : [];
  });
}

interface Exchange {
  readonly at: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly status: number;
}

/** A request and its answer; without one, a broken arrow. */
function drawExchange({ at, from, to, text, status }: Exchange): SequenceArrow[] {
  const isBad = status === 0 || status >= 400;
  const back =
    status === 0
      ? { text: 'no answer', kind: 'lost' as const }
      : { text: String(status), kind: 'answer' as const };
  return [
    { at, from, to, text, kind: 'call', isBad: false },
    { at, from: to, to: from, ...back, isBad },
  ];
}

/** A challenge is demanded of the payer, and ended by the payer. */
function drawStep({ At: at, Text: text, What }: TimelineItem): SequenceArrow {
  const isAsked = /demanded|^Asked/.test(text);
  const [from, to] = isAsked ? [GATEWAY, PAYER] : [PAYER, GATEWAY];
  return { at, from, to, text, kind: 'call', isBad: What === 'failed' };
}

function describeMessage(timeline: readonly TimelineItem[], delivery: string | null): string {
  const sent = timeline.find(({ What, DeliveryId }) => What === 'webhook' && DeliveryId === delivery);
  return sent?.Text.replace(/: \w+$/, '') ?? 'webhook';
}

const ARROWS = { call: '->>', answer: '-->>', lost: '--x' } as const;

/** The sequence as a diagram of Mermaid. */
export function toMermaid(arrows: readonly SequenceArrow[]): string {
  const used = LIFELINES.filter((_, n) => n < 2 || arrows.some(({ from, to }) => from === n || to === n));
  return [
    'sequenceDiagram',
    ...used.map((name) => `  participant ${name}`),
    ...arrows.map(({ at, from, to, text, kind }) => {
      const line = `${LIFELINES[from] ?? ''}${ARROWS[kind]}${LIFELINES[to] ?? ''}`;
      return `  ${line}: ${escapeMermaid(`${formatTime(at)} ${text}`)}`;
    }),
    '',
  ].join('\n');
}

/** Everything but letters, digits and a few signs becomes an entity such as #59; since Mermaid reads a syntax into it. */
function escapeMermaid(text: string): string {
  return Array.from(text, (sign) =>
    /[\p{L}\p{N} ./:_,()?=…-]/u.test(sign) ? sign : /\p{Cc}/u.test(sign) ? ' ' : `#${sign.codePointAt(0)};`,
  ).join('');
}
