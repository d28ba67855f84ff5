/**
 * The fixed paths of the further app that a path with a placeholder of the first app fits too, and their methods:
 * fixed words win over `{id}`, also before the further app is loaded.
 */
export const FURTHER_PATHS: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/payment_method/token', ['POST']],
  ['/payment_method/vault', ['POST']],
  ['/charge/bank_account', ['POST']],
  ['/customer/bank_account', ['POST']],
  ['/customer/payto', ['POST']],
  ['/customer/provider_token', ['POST']],
  ['/customer/provider_single_use_token', ['POST']],
  ['/payment_method/bank_account', ['POST']],
  ['/payment_method/payto', ['POST']],
  ['/payment_method/provider_token', ['POST']],
  ['/payment_method/provider_single_use_token', ['POST']],
];
