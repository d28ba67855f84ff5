/** The values of the condition `each`: a rule with `each: customer` counts the calls of each customer separately. */
export const EACH = ['customer', 'reference'] as const;
