import { CreateBatch } from '../batches/schema.js';
import { SearchBatches } from '../batches/search-schema.js';
import { ChargeBankAccount } from '../charges/bank-account-schema.js';
import {
  CaptureCharge,
  ChargeCard,
  ChargeCustomer,
  ChargePaymentMethod,
  ChargeToken,
  RefundCharge,
} from '../charges/schema.js';
import { ChargeLeastCost } from '../charges/least-cost-schema.js';
import { SearchCharges } from '../charges/search-schema.js';
import { CODE } from '../core/errors.js';
import { page } from './answer-fields.js';
import type { Section } from './operation.js';
import { Batch, BatchStatus, BatchSummary, Charge } from './payment-answers.js';

const { InvalidChargeId, InvalidChargeStatus, InvalidAmount, InvalidAmountMustBePositive } = CODE;
/** What every new charge may be refused with. */
const CHARGE = [
  CODE.InvalidProviderId,
  CODE.FeatureAuthoriseAndCaptureIsNotSupported,
  CODE.CurrencyNotSupported,
  CODE.InvalidAmount,
  CODE.InvalidAmountMustBePositive,
];
const CARD = [...CHARGE, CODE.ExpiredCard, CODE.InvalidPaymentInformation];
/** What an agreement of PayTo forbids. */
const AGREEMENT = [CODE.AmountExceedsMaxAmountForPayToAgreement, CODE.PayToAgreementIsNotActive];
const METHOD = [
  ...AGREEMENT,
  CODE.InvalidPaymentMethod,
  CODE.InvalidPaymentMethodIdRemoved,
  CODE.InvalidVaultId,
];
const CAPTURE = [
  InvalidChargeId,
  InvalidChargeStatus,
  InvalidAmount,
  InvalidAmountMustBePositive,
  CODE.InvalidCaptureAmountPassed,
  CODE.FeaturePartialCaptureIsNotSupportedCaptureAmount,
];
const REFUND = [
  InvalidChargeId,
  InvalidChargeStatus,
  InvalidAmount,
  InvalidAmountMustBePositive,
  CODE.InvalidAmountMaximumAvailableRefund,
  CODE.FeatureUnavailable,
];

export const CHARGES: Section = {
  tag: 'Charges',
  text: 'Taking money, and giving it back. A declined charge is stored as FAILED, and the refusal names it in ChargeId.',
  rows: [
    {
      method: 'post',
      path: '/charge/card',
      id: 'chargeCard',
      summary: 'Charge a card',
      body: ChargeCard,
      answer: Charge,
      refuses: CARD,
      asksProvider: true,
    },
    {
      method: 'post',
      path: '/charge/card/least_cost',
      id: 'chargeCardLeastCost',
      summary: 'Charge a card through the cheapest provider',
      body: ChargeLeastCost,
      answer: Charge,
      refuses: CARD,
      asksProvider: true,
    },
    {
      method: 'post',
      path: '/charge/token',
      id: 'chargeToken',
      summary: 'Charge a token',
      text: 'A token is spent by its first use, also where the charge is declined.',
      body: ChargeToken,
      answer: Charge,
      refuses: [...CHARGE, ...AGREEMENT, CODE.InvalidOrExpiredToken, CODE.ExpiredCard],
      asksProvider: true,
    },
    {
      method: 'post',
      path: '/charge/customer',
      id: 'chargeCustomer',
      summary: 'Charge a customer’s default payment method',
      body: ChargeCustomer,
      answer: Charge,
      refuses: [
        ...CHARGE,
        ...METHOD,
        CODE.InvalidCustomerId,
        CODE.InvalidCustomerIdRemoved,
        CODE.CustomerHasNoDefaultPaymentMethodId,
        CODE.ExpiredCard,
      ],
      asksProvider: true,
    },
    {
      method: 'post',
      path: '/charge/payment_method',
      id: 'chargePaymentMethod',
      summary: 'Charge a stored payment method',
      body: ChargePaymentMethod,
      answer: Charge,
      refuses: [...CHARGE, ...METHOD, CODE.InvalidPaymentMethodId, CODE.ExpiredCard],
      asksProvider: true,
    },
    {
      method: 'post',
      path: '/charge/bank_account',
      id: 'chargeBankAccount',
      summary: 'Charge a bank account',
      body: ChargeBankAccount,
      answer: Charge,
      refuses: CHARGE,
      asksProvider: true,
    },
    {
      method: 'get',
      path: '/charge',
      id: 'searchCharges',
      summary: 'Search charges',
      query: SearchCharges,
      answer: page('Charges', Charge),
    },
    {
      method: 'get',
      path: '/charge/{id}',
      id: 'getCharge',
      summary: 'Read a charge',
      answer: Charge,
      refuses: [InvalidChargeId],
    },
    {
      method: 'post',
      path: '/charge/{id}',
      id: 'captureCharge',
      summary: 'Capture an authorised charge',
      text: 'Less than was authorised may be captured; the rest is released.',
      body: CaptureCharge,
      answer: Charge,
      refuses: CAPTURE,
      asksProvider: true,
    },
    {
      method: 'post',
      path: '/charge/{id}/capture',
      id: 'captureChargeToo',
      summary: 'Capture an authorised charge, by another path',
      body: CaptureCharge,
      answer: Charge,
      refuses: CAPTURE,
      asksProvider: true,
    },
    {
      method: 'delete',
      path: '/charge/{id}/void',
      id: 'voidCharge',
      summary: 'Void an authorised charge',
      answer: Charge,
      refuses: [InvalidChargeId, InvalidChargeStatus],
      asksProvider: true,
    },
    {
      method: 'delete',
      path: '/charge/{id}',
      id: 'undoCharge',
      summary: 'Void or refund a charge, whichever its status asks for',
      query: RefundCharge,
      body: RefundCharge,
      bodyOptional: true,
      answer: Charge,
      refuses: REFUND,
      asksProvider: true,
    },
    {
      method: 'delete',
      path: '/refund/{id}',
      id: 'refundCharge',
      summary: 'Refund a charge, in full or in part',
      text: 'Amount and Comment may stand in the query or in the body.',
      query: RefundCharge,
      body: RefundCharge,
      bodyOptional: true,
      answer: Charge,
      refuses: REFUND,
      asksProvider: true,
    },
  ],
};

/** A batch has no code of its own that says it is unknown. */
const UNKNOWN_BATCH = [CODE.InvalidBatch, 404] as const;

export const BATCHES: Section = {
  tag: 'Batches',
  text: 'Many charges at once. A batch goes from RECEIVED over CREATED and IN_PROGRESS to SUCCESS or FAILED, as the clock goes.',
  rows: [
    {
      method: 'post',
      path: '/batch/transaction/payment_method',
      id: 'createBatch',
      summary: 'Charge many payment methods',
      body: CreateBatch,
      answer: BatchStatus,
      refuses: [CODE.InvalidBatch, CODE.InvalidBatchData],
    },
    {
      method: 'get',
      path: '/batch',
      id: 'searchBatches',
      summary: 'Search batches',
      query: SearchBatches,
      answer: page('Batches', BatchSummary),
    },
    {
      method: 'get',
      path: '/batch/{id}/status',
      id: 'getBatchStatus',
      summary: 'Read how far a batch is',
      answer: BatchStatus,
      refuses: [UNKNOWN_BATCH],
    },
    {
      method: 'get',
      path: '/batch/{id}',
      id: 'getBatch',
      summary: 'Read a batch with what became of each row',
      answer: Batch,
      refuses: [UNKNOWN_BATCH],
    },
  ],
};
