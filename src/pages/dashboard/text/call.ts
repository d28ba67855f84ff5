import type { BriefCall } from '../state/wire.js';
import { LONG_ID, abbreviateId } from './format.js';

/** The address of a call with short identifiers. */
export function shortenPath({ Path, Query }: Pick<BriefCall, 'Path' | 'Query'>): string {
  return `${Path.replace(LONG_ID, abbreviateId)}${Query === '' ? '' : `?${Query}`}`;
}

/** Describes briefly why a call got its answer, such as `rule primary down, fault reset`; for a refusal, its message up to the colon. */
export function whyInBrief({ Rule, Trigger, Fault, Message, Warning }: BriefCall): string {
  const decided = Rule === null ? Trigger : `rule ${Rule}`;
  const fault = Fault === null ? null : `fault ${Fault}`;
  const parts = [decided, decided?.endsWith(`:${Fault ?? ''}`) === true ? null : fault].filter(Boolean);
  if (parts.length > 0) return parts.join(', ');
  return Message?.split(':')[0] ?? (Warning === null ? '' : 'warning');
}
