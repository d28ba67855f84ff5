import { quoted } from '../core/text/text.js';
import { CODE, refuse } from '../core/errors.js';
import { nearest } from '../core/text/nearest.js';
import { type Fault, PLAIN_FAULTS, usualPhase } from '../scenarios/file/fault.js';
import type { Phase } from '../scenarios/script/model.js';

export interface AskedFault {
  readonly fault: Fault;
  readonly phase: Phase;
}

const ACCEPTED = `${PLAIN_FAULTS.join(', ')} or status=503, optionally followed by ; phase=before or ; phase=after`;

/** Reads `x-sandbox-fault: reset`, `status=503; phase=after`; refuses what it does not know. */
export function parseFault(text: string): AskedFault {
  const [what = '', ...rest] = text.split(';').map((part) => part.trim());
  const phase = readPhase(rest, text);
  const fault = readFault(what);
  return { fault, phase: phase ?? usualPhase(fault) };
}

function readFault(what: string): Fault {
  const plain = PLAIN_FAULTS.find((kind) => kind === what);
  if (plain !== undefined) return { kind: plain };
  const status = /^status=([1-5]\d\d)$/.exec(what)?.[1];
  if (status === undefined || Number(status) < 200) return refuseFault(what);
  return { kind: 'status', status: Number(status), body: null, retryAfterSeconds: null };
}

/** The text that `parseFault` reads as this fault. */
export function faultText({ fault, phase }: AskedFault): string {
  const what = fault.kind === 'status' ? `status=${fault.status}` : fault.kind;
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
  const [near] = nearest(text, PLAIN_FAULTS, 1);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const shown = quoted(text);
  const detail = `The header x-sandbox-fault is ${shown}; it must be ${ACCEPTED}.${hint}`;
  return refuse(CODE.ValidationError, detail);
}
