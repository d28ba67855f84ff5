/** What an action of a payer, a bank or time did, by its name in `POST /_sandbox/simulate`. */
export const SIMULATED: Readonly<Record<string, string>> = {
  'authorisation.expire': 'Authorisation expired.',
  'batch.fail': 'Batch failed.',
  'challenge.abandon': 'Challenge closed without answering.',
  'challenge.approve': 'Challenge approved.',
  'challenge.fail': 'Challenge failed.',
  'challenge.timeOut': 'Challenge timed out.',
  'charge.settle': 'Charge settled.',
  'checkout.approve': 'Wallet payment approved.',
  'checkout.decline': 'Wallet payment declined.',
  'payto.activate': 'Agreement activated.',
  'vault.expire': 'Vault entry expired.',
};
