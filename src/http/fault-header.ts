import { quoteText, endSentence } from '../core/text/text.js';
import { CODE, refuse } from '../core/errors.js';
import {
  type FaultSpec,
  FAULT_NAMES,
  faultName,
  parseFaultName,
  hintFault,
  defaultPhase,
} from '../scenarios/file/fault.js';
import type { EffectPhase } from '../scenarios/script/model.js';

export interface HeaderFault {
  readonly fault: FaultSpec;
  readonly phase: EffectPhase;
}

const ACCEPTED = `${FAULT_NAMES}, optionally followed by ; phase=before or ; phase=after`;

/** Reads `x-sandbox-fault: reset`, `status=503; phase=after`; refuses what it does not know. */
export function parseFaultHeader(text: string): HeaderFault {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim());
  const phase = readPhase(rest, text);
  const fault = parseFaultName(name) ?? refuseFault(text);
  return { fault, phase: phase ?? defaultPhase(fault) };
}

/** The text that `parseFaultHeader` reads as this fault. */
export function formatFaultHeader({ fault, phase }: HeaderFault): string {
  const name = faultName(fault);
  return phase === defaultPhase(fault) ? name : `${name}; phase=${phase}`;
}

/** Undefined if it is left out. */
function readPhase(parts: readonly string[], text: string): EffectPhase | undefined {
  if (parts.length === 0) return undefined;
  if (parts.length === 1 && parts[0] === 'phase=after') return 'after';
  if (parts.length === 1 && parts[0] === 'phase=before') return 'before';
  return refuseFault(text);
}

function refuseFault(text: string): never {
  const [name = ''] = text.split(';');
  const hint = parseFaultName(name.trim()) === undefined ? hintFault(name.trim()) : '';
  const shown = quoteText(text);
  const detail = `The header x-sandbox-fault is ${shown}; it must be ${ACCEPTED}${hint}`;
  return refuse(CODE.ValidationError, endSentence(detail));
}
