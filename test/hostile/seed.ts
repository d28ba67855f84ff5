/** What is in the world of each case before it begins. */
export const SEED = `
name: hostile
clock: manual
seedData:
  customers:
    - { customerId: 'c0000000000000000000000000000001', reference: ada, firstName: Ada, email: ada@example.com }
  vault:
    - { vaultId: 'e0000000000000000000000000000001', cardNumber: 4242424242424242, ccv: '123' }
  paymentMethods:
    - paymentMethodId: 'a0000000000000000000000000000001'
      customerId: 'c0000000000000000000000000000001'
      vaultId: 'e0000000000000000000000000000001'
      expiryDate: 10/30
  charges:
    - { chargeId: 'd0000000000000000000000000000001', paymentMethodId: 'a0000000000000000000000000000001', amount: 50, status: Authorised }
    - { chargeId: 'd0000000000000000000000000000002', paymentMethodId: 'a0000000000000000000000000000001', amount: 50, status: SUCCESS }
`;
