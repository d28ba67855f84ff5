import { shortenId } from './cards/card.js';
import { isUuid, quoteText } from './text/text.js';

/** An error code of the service, with its message and HTTP status. */
export interface ErrorRow {
  readonly code: number;
  readonly name: string;
  readonly message: string;
  readonly httpStatus: number;
  readonly retryable: boolean;
  /** `C`: the text of the service, from its client libraries. `A`: our assumption. */
  readonly source: 'C' | 'A';
}

// Code, name, message, HTTP status, retryable, source of the message; in the order of the codes.
// oxfmt-ignore
const ERROR_TABLE = [
  [1, 'UnknownError', 'Unknown Error', 400, false, 'C'],
  [2, 'InvalidAmount', 'Invalid Amount', 400, false, 'C'],
  [3, 'InvalidAuthoriseDetails', 'Invalid Authorise Details', 400, false, 'C'],
  [4, 'InvalidCaptureDetails', 'Invalid Capture Details', 400, false, 'C'],
  [5, 'InvalidCardNumber', 'Invalid Card Number', 400, false, 'C'],
  [6, 'InvalidCcv', 'Invalid CCV', 400, false, 'C'],
  [7, 'InvalidCountry', 'Invalid Country', 400, false, 'C'],
  [8, 'InvalidCountryForTransfer', 'Invalid Country for transfer', 400, false, 'C'],
  [9, 'InvalidExpiryDate', 'Invalid Expiry Date', 400, false, 'C'],
  [10, 'InvalidPaymentDetails', 'Invalid Payment Details', 400, false, 'C'],
  [11, 'InvalidPaypalAccount', 'Invalid Paypal Account', 400, false, 'C'],
  [12, 'InvalidRefundDetails', 'Invalid Refund Details', 400, false, 'C'],
  [13, 'InvalidVoidDetails', 'Invalid Void Details', 400, false, 'C'],
  [14, 'ExpiredCard', 'Expired Card', 400, false, 'C'],
  [15, 'InsufficientFunds', 'Insufficient Funds', 400, true, 'C'],
  [16, 'LocationNotSupported', 'Location not supported', 400, false, 'C'],
  [17, 'PaypalBillingAgreementCancelled', 'Paypal Billing agreement cancelled', 400, false, 'C'],
  [18, 'ThreeDSecureFailed', '3D Secure failed', 400, false, 'C'],
  [19, 'AccountEmailUnconfirmed', 'Account Email Unconfirmed', 400, false, 'C'],
  [20, 'AccountError', 'Account Error', 400, false, 'C'],
  [21, 'AccountIsLockedOrClosed', 'Account is locked or closed', 400, false, 'C'],
  [22, 'AccountNotAuthorised', 'Account not Authorised', 400, false, 'C'],
  [23, 'AccountRestricted', 'Account Restricted', 400, false, 'C'],
  [24, 'AmountExceedsMaxAmountForPayToAgreement', 'Amount exceeds MaxAmount for payTo agreement', 400, false, 'C'],
  [25, 'AmountTooLarge', 'Amount too Large', 400, false, 'C'],
  [26, 'AuthenticationAuthorizationError', 'Authentication/Authorization Error', 401, false, 'C'],
  [27, 'BillingPostalCodeNotSupported', 'Billing Postal Code not supported', 400, false, 'C'],
  [28, 'CurrencyComplianceIssuesWithTransactions', 'Currency Compliance issues with transactions', 400, false, 'C'],
  [29, 'CurrencyNotSupported', 'Currency not supported', 400, false, 'C'],
  [30, 'Duplicate', 'Duplicate', 409, false, 'C'],
  [31, 'DuplicateTransaction', 'Duplicate Transaction', 409, false, 'C'],
  [32, 'FeatureUnavailable', 'Feature Unavailable', 400, false, 'C'],
  [33, 'PayToAgreementIsNotActive', 'PayTo Agreement is not active', 400, false, 'C'],
  [34, 'ProviderServiceError', 'Provider Service Error', 400, true, 'C'],
  [35, 'RateLimitingApplied', 'Rate Limiting Applied', 429, true, 'C'],
  [36, 'ReceiverAccountLocked', 'Receiver Account Locked', 400, false, 'C'],
  [37, 'RetryLater', 'Retry later', 503, true, 'C'],
  [38, 'SenderAccountIssue', 'Sender Account Issue', 400, false, 'C'],
  [39, 'InvalidProviderId', 'Invalid ProviderId', 400, false, 'C'],
  [40, 'InvalidAuthentication', 'Invalid Authentication', 401, false, 'C'],
  [41, 'InvalidEnvironment', 'Invalid Environment', 400, false, 'C'],
  [42, 'TokeniseCardError', 'Tokenise Card Error', 400, false, 'C'],
  [43, 'TransactionError', 'Transaction Error', 400, false, 'C'],
  [44, 'NotSupportCharge', 'Not support charge', 400, false, 'C'],
  [45, 'UnableToRefund', 'Unable to refund', 400, false, 'C'],
  [46, 'UnableToCharge', 'Unable to charge', 400, false, 'C'],
  [47, 'UnableToCapture', 'Unable to capture', 400, false, 'C'],
  [48, 'UnableToVoid', 'Unable to void', 400, false, 'C'],
  [49, 'UnableToAddCustomer', 'Unable to add customer', 400, false, 'C'],
  [50, 'NoTransactionFound', 'No transaction found', 404, false, 'C'],
  [51, 'InvalidOrExpiredToken', 'Invalid or expired token', 400, false, 'C'],
  [52, 'InvalidCustomerId', 'Invalid CustomerId', 404, false, 'C'],
  [53, 'InvalidCharge', 'Invalid Charge', 400, false, 'C'],
  [54, 'InvalidChargeStatus', 'Invalid Charge Status', 409, false, 'C'],
  [55, 'InvalidCardLength', 'Invalid Card length', 400, false, 'C'],
  [56, 'InvalidPaymentMethodId', 'Invalid PaymentMethodId', 404, false, 'C'],
  [57, 'InvalidPaymentMethod', 'Invalid PaymentMethod', 400, false, 'C'],
  [58, 'InvalidPaymentType', 'Invalid Payment Type', 400, false, 'C'],
  [59, 'InvalidThreeDSServerTransID', 'Invalid threeDSServerTransID', 400, false, 'C'],
  [60, 'InvalidTransferAmount', 'Invalid Transfer Amount', 400, false, 'C'],
  [61, 'InvalidReferenceId', 'Invalid ReferenceId', 400, false, 'C'],
  [62, 'InvalidVaultId', 'Invalid VaultId', 404, false, 'C'],
  [63, 'NoCardProvidersConfigured', 'No card providers configured', 400, false, 'C'],
  [64, 'CustomerHasNoDefaultPaymentMethodId', 'Customer has no DefaultPaymentMethodId', 400, false, 'C'],
  [65, 'NoProviderFound', 'No provider found', 404, false, 'C'],
  [66, 'NoVaultIdAssociatedWithThisPaymentMethod', 'No VaultId associated with this payment method', 400, false, 'C'],
  [67, 'NoTransferInformationProvided', 'No transfer information provided', 400, false, 'C'],
  [68, 'TransferLargerThanOriginalCharge', 'Transfer larger than original charge', 400, false, 'C'],
  [69, 'DuplicateGroupReference', 'Duplicate Group reference', 409, false, 'C'],
  [70, 'DuplicateTransferReference', 'Duplicate transfer reference', 409, false, 'C'],
  [71, 'FeatureAuthoriseAndCaptureIsNotSupported', 'Feature Authorise and Capture is not supported by this provider', 400, false, 'C'],
  [72, 'InvalidCustomerIdRemoved', 'Invalid CustomerId (removed)', 409, false, 'C'],
  [73, 'InvalidPaymentMethodIdRemoved', 'Invalid PaymentMethodId (removed)', 409, false, 'C'],
  [74, 'InvalidAmountMustBePositive', 'Invalid Amount. Amount must be positive', 400, false, 'C'],
  [75, 'FeatureVerifyPendingIsNotSupported', 'Feature Verify Pending is not supported by this provider', 400, false, 'C'],
  [76, 'InvalidAmountMaximumAvailableRefund', 'Invalid Amount. Maximum available refund is less', 400, false, 'C'],
  [77, 'InvalidCaptureAmountPassed', 'Invalid capture amount passed. Capture amount could not be more than a transaction one', 400, false, 'C'],
  [78, 'FeaturePartialCaptureIsNotSupportedCaptureAmount', 'Feature Partial Capture is not supported by this provider. Capture amount must be the same as a transaction one', 400, false, 'C'],
  [79, 'AmountOutsideRangeForMerchant', 'Amount outside range for merchant', 400, false, 'C'],
  [80, 'GatewayTimeout', 'Gateway timeout', 400, true, 'C'],
  [81, 'InvalidPaymentInformation', 'Invalid PaymentInformation', 400, false, 'C'],
  [82, 'CannotProvideBothExpireDateAndExpireSeconds', 'Cannot provide both ExpireDate and ExpireSeconds', 400, false, 'C'],
  [83, 'InvalidExpireDateOrExpireSeconds', 'Invalid ExpireDate or ExpireSeconds', 400, false, 'C'],
  [84, 'InvalidChargeId', 'Invalid ChargeId', 404, false, 'C'],
  [85, 'CannotProvideBothVaultExpireDateAndVaultExpireSeconds', 'Cannot provide both VaultExpireDate and VaultExpireSeconds', 400, false, 'C'],
  [86, 'InvalidVaultExpiryDate', 'Invalid Vault Expiry Data', 400, false, 'C'],
  [87, 'InvalidTokenId', 'Invalid TokenId', 404, false, 'C'],
  [88, 'InvalidTransferId', 'Invalid TransferId', 404, false, 'C'],
  [89, 'InvalidNotificationFormat', 'Invalid Notification Format', 400, false, 'C'],
  [90, 'ValidationError', 'Validation Error', 400, false, 'C'],
  [91, 'TokenVerificationNotSupported', 'Token verification not supported', 400, false, 'C'],
  [92, 'InvalidAddress', 'Invalid address', 400, false, 'C'],
  [93, 'CardBlocked', 'Card blocked', 400, false, 'A'],
  [94, 'Timeout', 'Timeout', 408, true, 'A'],
  [95, 'VisIsNotSupported', 'Vis is not supported', 400, false, 'A'],
  [96, 'TheOrderInformationIsInvalid', 'The order information is invalid', 400, false, 'A'],
  [97, 'MetadataDoesNotContainRequiredFields', 'Metadata does not contain required fields', 400, false, 'A'],
  [98, 'FraudIsNotSupported', 'Fraud is not supported', 400, false, 'A'],
  [99, 'CardIsNotEnrolledForVis', 'Card is not enrolled for vis', 400, false, 'A'],
  [100, 'ProviderNotSupported', 'Provider not supported', 400, false, 'A'],
  [101, 'InvalidBatch', 'Invalid batch', 400, false, 'A'],
  [102, 'InvalidBatchData', 'Invalid batch data', 400, false, 'A'],
  [103, 'DirectDebitNotSupported', 'Direct debit not supported', 400, false, 'A'],
  [104, 'InvalidSubscriptionId', 'Invalid subscription id', 404, false, 'A'],
  [105, 'NoDataToUpdateThePaymentMethod', 'No data to update the payment method', 400, false, 'A'],
  [106, 'PaymentMethodMustBeOfTypeCard', 'Payment method must be of type card', 400, false, 'A'],
  [107, 'UnableToUpdateThePaymentMethod', 'Unable to update the payment method', 400, false, 'A'],
  [108, 'UnableToUpdateSubscription', 'Unable to update subscription', 400, false, 'A'],
  [109, 'UnableToCreateWebhookSubscription', 'Unable to create webhook subscription', 400, false, 'A'],
  [110, 'UnableToGetWebhookSubscription', 'Unable to get webhook subscription', 400, false, 'A'],
  [111, 'UnableToDeleteWebhookSubscription', 'Unable to delete webhook subscription', 400, false, 'A'],
  [112, 'BlockedByFraudRules', 'Blocked by fraud rules', 400, false, 'A'],
  [113, 'Require3DSecure', '3-D Secure required', 400, false, 'A'],
  [114, 'UnableToCreateNetworkToken', 'Unable to create network token', 400, false, 'A'],
  [115, 'UnableToCreatePaymentLink', 'Unable to create payment link', 400, false, 'A'],
  [116, 'InvalidPaymentLinkId', 'Invalid payment link id', 404, false, 'A'],
  [117, 'InvalidFallbackProviderId', 'Invalid fallback provider id', 400, false, 'A'],
  [901, 'ReferToCardIssuer', 'Refer to card issuer', 400, false, 'A'],
  [902, 'ReferToCardIssuerSpecialConditions', 'Refer to card issuer special conditions', 400, false, 'A'],
  [903, 'InvalidMerchant', 'Invalid merchant', 400, false, 'A'],
  [904, 'PickUpCard', 'Pick up card', 400, false, 'A'],
  [905, 'DoNotHonor', 'Do not honor', 400, false, 'A'],
  [906, 'Error', 'Error', 400, false, 'A'],
  [907, 'PickUpCardSpecialCondition', 'Pick up card special condition', 400, false, 'A'],
  [908, 'HonourWithIdentification', 'Honour with identification', 400, false, 'A'],
  [909, 'RequestInProgress', 'Request in progress', 400, true, 'A'],
  [910, 'ApprovedForPartialAmount', 'Approved for partial amount', 400, false, 'A'],
  [911, 'ApprovedVip', 'Approved vip', 400, false, 'A'],
  [912, 'InvalidTransaction', 'Invalid transaction', 400, false, 'A'],
  [913, 'IssuerInvalidAmount', 'Issuer invalid amount', 400, false, 'A'],
  [914, 'InvalidCardNumberNoSuchNumber', 'Invalid card number no such number', 400, false, 'A'],
  [915, 'NoSuchIssuer', 'No such issuer', 400, false, 'A'],
  [916, 'ApprovedUpdateTrack3', 'Approved update track3', 400, false, 'A'],
  [917, 'CustomerCancellation', 'Customer cancellation', 400, false, 'A'],
  [918, 'CustomerDispute', 'Customer dispute', 400, false, 'A'],
  [919, 'ReEnterTransaction', 'Re enter transaction', 400, true, 'A'],
  [920, 'InvalidResponse', 'Invalid response', 400, false, 'A'],
  [921, 'NoActionTaken', 'No action taken', 400, false, 'A'],
  [922, 'SuspectedMalfunction', 'Suspected malfunction', 400, false, 'A'],
  [923, 'UnacceptableTransactionFee', 'Unacceptable transaction fee', 400, false, 'A'],
  [924, 'FileUpdateNotSupportedByReceiver', 'File update not supported by receiver', 400, false, 'A'],
  [925, 'UnableToLocateRecordOnFile', 'Unable to locate record on file', 400, false, 'A'],
  [926, 'DuplicateFileUpdateRecordOldRecordReplaced', 'Duplicate file update record old record replaced', 400, false, 'A'],
  [927, 'FileUpdateFieldEditError', 'File update field edit error', 400, false, 'A'],
  [928, 'FileUpdateFileLockedOut', 'File update file locked out', 400, false, 'A'],
  [929, 'FileUpdateNotSuccessfulContactAcquirer', 'File update not successful contact acquirer', 400, false, 'A'],
  [930, 'FormatError', 'Format error', 400, false, 'A'],
  [931, 'BankNotSupportedBySwitch', 'Bank not supported by switch', 400, false, 'A'],
  [932, 'CompletedPartially', 'Completed partially', 400, false, 'A'],
  [933, 'ExpiredCardPickUp', 'Expired card pick up', 400, false, 'A'],
  [934, 'SuspectedFraudPickUp', 'Suspected fraud pick up', 400, false, 'A'],
  [935, 'CardAcceptorContactAcquirerPickUp', 'Card acceptor contact acquirer pick up', 400, false, 'A'],
  [936, 'RestrictedCardPickUp', 'Restricted card pick up', 400, false, 'A'],
  [937, 'CardAcceptorCallAcquirerSecurityPickUp', 'Card acceptor call acquirer security pick up', 400, false, 'A'],
  [938, 'AllowablePinTriesExceeded', 'Allowable pin tries exceeded', 400, false, 'A'],
  [939, 'NoCreditAccount', 'No credit account', 400, false, 'A'],
  [940, 'RequestedFunctionNotSupported', 'Requested function not supported', 400, false, 'A'],
  [941, 'LostCardPickUp', 'Lost card pick up', 400, false, 'A'],
  [942, 'NoUniversalAccount', 'No universal account', 400, false, 'A'],
  [943, 'StolenCardPickUp', 'Stolen card pick up', 400, false, 'A'],
  [944, 'NoInvestmentAccount', 'No investment account', 400, false, 'A'],
  [951, 'IssuerInsufficientFunds', 'Issuer insufficient funds', 400, false, 'A'],
  [952, 'NoCheckingAccount', 'No checking account', 400, false, 'A'],
  [953, 'NoSavingsAccount', 'No savings account', 400, false, 'A'],
  [954, 'IssuerExpiredCard', 'Issuer expired card', 400, false, 'A'],
  [955, 'IncorrectPersonalIdentificationNumber', 'Incorrect personal identification number', 400, false, 'A'],
  [956, 'NoCardRecord', 'No card record', 400, false, 'A'],
  [957, 'TransactionNotPermittedToCardholder', 'Transaction not permitted to cardholder', 400, false, 'A'],
  [958, 'TransactionNotPermittedToTerminal', 'Transaction not permitted to terminal', 400, false, 'A'],
  [959, 'SuspectedFraud', 'Suspected fraud', 400, false, 'A'],
  [960, 'CardAcceptorContactAcquirer', 'Card acceptor contact acquirer', 400, false, 'A'],
  [961, 'ExceedsWithdrawalAmountLimit', 'Exceeds withdrawal amount limit', 400, false, 'A'],
  [962, 'RestrictedCard', 'Restricted card', 400, false, 'A'],
  [963, 'SecurityViolation', 'Security violation', 400, false, 'A'],
  [964, 'OriginalAmountIncorrect', 'Original amount incorrect', 400, false, 'A'],
  [965, 'ExceedsWithdrawalFrequencyLimit', 'Exceeds withdrawal frequency limit', 400, true, 'A'],
  [966, 'CardAcceptorCallAcquirersSecurityDepartment', 'Card acceptor call acquirers security department', 400, false, 'A'],
  [967, 'HardCaptureRequiresCardPickUpAtAtm', 'Hard capture requires card pick up at atm', 400, false, 'A'],
  [968, 'ResponseReceivedTooLate', 'Response received too late', 400, true, 'A'],
  [975, 'AllowableNumberOfPinTriesExceeded', 'Allowable number of pin tries exceeded', 400, false, 'A'],
  [990, 'CutoffIsInProcess', 'Cutoff is in process', 400, true, 'A'],
  [991, 'IssuerOrSwitchIsInoperative', 'Issuer or switch is inoperative', 400, true, 'A'],
  [992, 'FinancialInstitutionOrIntermediateNetworkFacilityCannotBeFoundForRouting', 'Financial institution or intermediate network facility cannot be found for routing', 400, false, 'A'],
  [993, 'TransactionCannotBeCompletedViolationOfLaw', 'Transaction cannot be completed violation of law', 400, false, 'A'],
  [994, 'DuplicateTransmission', 'Duplicate transmission', 400, false, 'A'],
  [995, 'ReconcileError', 'Reconcile error', 400, false, 'A'],
  [996, 'SystemMalfunction', 'System malfunction', 400, true, 'A'],
] as const;

export const ERROR_ROWS: readonly ErrorRow[] = ERROR_TABLE.map(
  ([code, name, message, httpStatus, retryable, source]) =>
    Object.freeze({ code, name, message, httpStatus, retryable, source }),
);

type ErrorCodes = { readonly [R in (typeof ERROR_TABLE)[number] as R[1]]: R[0] };

/** The codes by their names, made from the table: `CODE.InvalidAmount` is 2. */
export const CODE = Object.freeze(
  Object.fromEntries(ERROR_TABLE.map((row) => [row[1], row[0]])),
) as ErrorCodes;

const ROW_BY_CODE: ReadonlyMap<number, ErrorRow> = new Map(ERROR_ROWS.map((row) => [row.code, row]));

/** An unknown code is a bug and throws. */
export function requireErrorRow(code: number): ErrorRow {
  const row = ROW_BY_CODE.get(code);
  if (row === undefined) throw new Error(`Failed to find the error code ${code}: the table has no such row.`);
  return row;
}

/** Why a request is refused. Fields that are left out come from the row of the code. */
export interface Refusal {
  readonly code: number;
  /** The mistake, the received value and the accepted ones. May be empty. Never contains a card number or a Ccv. */
  readonly detail: string;
  readonly httpStatus?: number;
  /** Reasons by field name. For a decline: the response of the gateway and the known fields of the payer. */
  readonly details?: Readonly<Record<string, string | null>>;
  readonly retryAfterSeconds?: number;
  /** The methods that the path supports, for the `Allow` header of a 405. */
  readonly allow?: string;
  readonly gatewayCode?: string | null;
  readonly gatewayMessage?: string | null;
  readonly retryable?: boolean;
  /** The charge that was stored as failed. */
  readonly chargeId?: string;
}

/** The error that refuses a request. */
export class ApiError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    const { message } = requireErrorRow(refusal.code);
    super(refusal.detail === '' ? message : `${message}: ${refusal.detail}`);
    this.name = 'ApiError';
    this.refusal = refusal;
  }

  get httpStatus(): number {
    return this.refusal.httpStatus ?? requireErrorRow(this.refusal.code).httpStatus;
  }
}

export function refuse(code: number, detail: string, more?: Omit<Refusal, 'code' | 'detail'>): never {
  throw new ApiError({ ...more, code, detail });
}

/** Refuses what a limit of the sandbox's own does not allow. A retry does not help: something has to be deleted first. */
export function refuseFull(detail: string): never {
  return refuse(CODE.ValidationError, detail, { httpStatus: 409 });
}

/** Refuses a field. The reason goes into `Details`, and into the message unless `detail` is given. */
export function refuseField(code: number, field: string, reason: string, detail?: string): never {
  return refuse(code, detail ?? `${field} ${reason}.`, { details: { [field]: reason } });
}

/** Refuses an unknown identifier, or a word that cannot be one. `name` is the field that has it, such as ChargeId. */
export function refuseUnknownId(
  code: number,
  id: string,
  what: string,
  name: string,
  { hint = '', ...more }: Pick<Refusal, 'httpStatus'> & { readonly hint?: string } = {},
): never {
  const shown = quoteText(shortenId(id));
  const detail = isUuid(id)
    ? `No ${what} with the id ${shown} exists for this key.`
    : `${shown} is not a ${name} (32 hexadecimal digits).`;
  return refuse(code, detail + hint, more);
}
