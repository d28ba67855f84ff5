import type { Step } from './commands/index.js';

/** Lists of commands that once told the sandbox and the model apart, shrunk, with what they found. */
export const REGRESSIONS: readonly { readonly found: string; readonly steps: readonly Step[] }[] = [
  {
    found: 'a refund whose query was refused used up a queued outcome',
    // oxfmt-ignore
    steps: [{"world":0,"kind":"charge a card","args":{"amount":"10","currency":"AUD","capture":true,"reference":null,"header":null,"provider":"00000000000000000000000000000001","pan":"4242424242424242","expiry":"10/40","hasCcv":false}},{"world":0,"kind":"queue outcomes","args":{"operation":"charge.refund","outcomes":["issuer_unavailable"]}},{"world":0,"kind":"refund","args":{"charge":{"from":"own","back":0},"share":"0","header":null,"via":"query"}},{"world":0,"kind":"refund","args":{"charge":{"from":"own","back":0},"share":"half","header":null,"via":"query"}}],
  },
];
