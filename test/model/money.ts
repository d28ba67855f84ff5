import type { Body } from './commands/kind.js';

/** What is wrong with the money of a charge, whatever a model says: 0 ≤ refunded ≤ captured ≤ authorised, and nothing held is lost. */
export function wrongMoney(charge: Body): string | null {
  const amount = Number(charge['Amount']);
  const refunded = Number(charge['RefundedAmount'] ?? 0);
  const authorised = charge['AuthorisationAmount'] as number | null;
  const status = String(charge['Status']);
  const isTaken = status === 'SUCCESS' || status === 'PARTIAL_REFUND' || status === 'REFUND';
  const captured = isTaken ? amount : 0;
  const thousandths = (charge['Refunds'] as Body[]).reduce(
    (sum, one) => sum + Math.round(Number(one['Amount']) * 1000),
    0,
  );
  const holds: [boolean, string][] = [
    [refunded >= 0 && refunded <= captured, 'refunds at most what was captured'],
    [authorised === null || captured <= authorised, 'captures at most what was authorised'],
    [thousandths === Math.round(refunded * 1000), 'has refunds that add up'],
    [
      (status === 'REFUND') === (refunded > 0 && refunded === captured),
      'is refunded in whole when it says so',
    ],
    [
      (status === 'PARTIAL_REFUND') === (refunded > 0 && refunded < captured),
      'is refunded in part when it says so',
    ],
    [isTaken === (charge['SuccessDate'] !== null), 'has a SuccessDate once it was captured'],
    [
      (status === 'AUTHORISE_CANCELLED') === (charge['VoidDate'] !== null),
      'has a VoidDate once all was released',
    ],
  ];
  const broken = holds.find(([good]) => !good);
  return broken === undefined ? null : `No charge ${broken[1]}: ${JSON.stringify(charge)}`;
}
