import { CODE, refuse } from '../core/errors.js';
import type { Override } from '../outcomes/header.js';
import type { World } from '../world.js';
import { refundCharge, requireCharge, voidCharge } from './changes.js';
import { nextStatus, statusesAllowing } from './record.js';
import type { ChargeResult } from './service.js';

/** What a refund may ask for; null: all that is left, without a comment. */
export interface AskedRefund {
  readonly amount: string | null;
  readonly comment: string | null;
}

/** How a charge is undone: an authorisation is voided, unless something is asked that only a refund can do. */
export function undoingOf(world: World, id: string, { amount, comment }: AskedRefund): 'void' | 'refund' {
  const plain = amount === null && comment === null;
  return plain && world.charges.find(id)?.status === 'Authorised' ? 'void' : 'refund';
}

/** Undoes a charge: voids an authorisation, refunds what was captured; in another status 409 with code 54. */
export function undoCharge(
  world: World,
  id: string,
  asked: AskedRefund,
  override: Override | null,
): ChargeResult {
  if (undoingOf(world, id, asked) === 'void') return voidCharge(world, id, override);
  const found = requireCharge(world, id);
  if (found.status !== 'Authorised' && nextStatus(found.status, 'refund') === undefined) {
    const refundable = statusesAllowing('refund').join(' or ');
    const voidable = statusesAllowing('void').join(' or ');
    refuse(
      CODE.InvalidChargeStatus,
      `The charge ${id} is ${found.status}; refund needs ${refundable}, void needs ${voidable}.`,
    );
  }
  return refundCharge(world, id, asked.amount, asked.comment, override);
}
