/** What stands at the head of the description. */
export const DESCRIPTION = `A fake payment gateway: in memory, deterministic, for tests.

Members are named as the documented dialect writes them. In the sdk dialect (\`x-sandbox-dialect: sdk\`, or \`--dialect sdk\`)
members of requests are taken in any case, answers are written in camelCase, an authorised charge has the status \`AUTHORISE\`,
members that say so may be left out, and an error's \`type\` is a link to the service's own page.

Amounts may be sent as numbers or as decimal texts; they are answered as numbers. \`null\` for an optional member is as if it
were left out. Members of an answer are always there; those without a value are null. Unknown members of a request are
ignored and named in the header \`x-sandbox-warning\`; under \`/_sandbox\`, and with \`--strict\`, they are refused.

The key chooses the world: two keys share nothing. The examples are answers that were really given, to the key
\`sk_test_local\` whose clock began at 2026-01-01T00:00:00Z.`;

/** The header that every call takes at which a provider is asked. */
export const OUTCOME_HEADER = {
  name: 'x-sandbox-outcome',
  in: 'header',
  description: 'What the provider answers, such as insufficient_funds, or approve, delay=2s.',
  schema: { type: 'string' },
};

/** The headers that every call of the service takes. */
export const SERVICE_HEADERS: readonly object[] = [
  {
    name: 'x-sandbox-fault',
    in: 'header',
    description:
      'What goes wrong on the way: reset, empty, truncate, malformed, hang, dribble, status=503; phase=after.',
    schema: { type: 'string' },
  },
  {
    name: 'x-sandbox-dialect',
    in: 'header',
    description: 'The dialect of this one call.',
    schema: { type: 'string', enum: ['documented', 'sdk'] },
  },
];
