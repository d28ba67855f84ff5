/** What a rule with the condition `each` counts apart. */
export const EACH = ['customer', 'reference'] as const;
