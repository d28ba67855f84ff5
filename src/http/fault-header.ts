import { quoted, sentence } from '../core/text/text.js';
import { CODE, refuse } from '../core/errors.js';
import {
  type Fault,
  FAULT_NAMES,
  faultName,
  faultNamed,
  faultHint,
  usualPhase,
} from '../scenarios/file/fault.js';
import type { Phase } from '../scenarios/script/model.js';

export interface AskedFault {
  readonly fault: Fault;
  readonly phase: Phase;
}

const ACCEPTED = `${FAULT_NAMES}, optionally followed by ; phase=before or ; phase=after`;

/** Reads `x-sandbox-fault: reset`, `status=503; phase=after`; refuses what it does not know. */
export function parseFault(text: string): AskedFault {
  const [what = '', ...rest] = text.split(';').map((part) => part.trim());
  const phase = readPhase(rest, text);
  const fault = faultNamed(what) ?? refuseFault(text);
  return { fault, phase: phase ?? usualPhase(fault) };
}

/** The text that `parseFault` reads as this fault. */
export function faultText({ fault, phase }: AskedFault): string {
  const what = faultName(fault);
  return phase === usualPhase(fault) ? what : `${what}; phase=${phase}`;
}

/** Undefined if it is left out. */
function readPhase(parts: readonly string[], text: string): Phase | undefined {
  if (parts.length === 0) return undefined;
  if (parts.length === 1 && parts[0] === 'phase=after') return 'after';
  if (parts.length === 1 && parts[0] === 'phase=before') return 'before';
  return refuseFault(text);
}

function refuseFault(text: string): never {
  const [what = ''] = text.split(';');
  const hint = faultNamed(what.trim()) === undefined ? faultHint(what.trim()) : '';
  const shown = quoted(text);
  const detail = `The header x-sandbox-fault is ${shown}; it must be ${ACCEPTED}${hint}`;
  return refuse(CODE.ValidationError, sentence(detail));
}
