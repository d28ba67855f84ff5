/** Calls of the service's own page script that the sandbox does not have, and what each is for. Their requests and responses are not published. */
const OTHER_CALLS: ReadonlyMap<string, string> = new Map([
  ['/fraud_check', 'asks a fraud provider about a payment. Queue blocked_by_fraud_rules to test a refusal'],
  ['/token_connect', 'links a token to an account at another service'],
  [
    '/network_token/payment_method',
    'creates a network token for a payment method. Use a magic token such as tok_approve',
  ],
  ['/vis/plans', 'lists the plans of Visa Instalments. No provider here offers any'],
  [
    '/token/{id}/authentication',
    'adds the result of an authentication to a token. Use POST /3ds/auth/token/{id}',
  ],
  [
    '/token/{id}/external3dsdata',
    'adds the result of 3-D Secure elsewhere to a token. Use POST /3ds/auth/token/{id}',
  ],
]);

/** Says what a path of the page script is for; undefined for any other path. */
export function explainOtherCall(path: string): string | undefined {
  const pattern = path.replace(/^(\/token\/)[^/]+(?=\/)/, '$1{id}');
  const purpose = OTHER_CALLS.get(pattern);
  return (
    purpose && `The sandbox does not offer ${pattern}, a call of the service’s page script, which ${purpose}.`
  );
}
