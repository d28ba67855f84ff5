// The answer to a charge, with the fields of playmoney's. Servers that do none of a gateway's work return it.

/** A charge as a client sends it, under an identifier. */
export function answerFor(id, charge) {
  const { ProviderId, PaymentInformation: card } = charge;
  const now = new Date().toISOString();
  return {
    ChargeId: id,
    ProviderChargeId: `ch_${id.slice(8)}`,
    ProviderId,
    Amount: charge.Amount,
    Currency: charge.Currency,
    Status: 'SUCCESS',
    Reference: charge.Reference,
    AuthorisationAmount: null,
    RefundedAmount: null,
    Refunds: [],
    CustomerId: null,
    Customer: null,
    Provider: { ProviderId, Type: 'dummy', Name: 'steady' },
    PaymentInformation: {
      Type: 'CARD',
      PaymentMethodId: null,
      Card: {
        CardNumber: '4111********1111',
        ExpiryDate: card.ExpiryDate,
        Cardholder: card.Cardholder,
        Type: 'VISA',
        CardType: 'CREDIT',
        CardIin: '411111',
        CcvCheck: true,
      },
    },
    DateAdded: now,
    SuccessDate: now,
    VoidDate: null,
    FailedAttempts: [],
    Initiator: null,
    Descriptor: null,
    PaymentTokenId: null,
    BatchId: null,
    Metadata: null,
  };
}

/** The identifier of the n-th charge. */
export function idOf(n) {
  return n.toString(16).padStart(32, '0');
}
