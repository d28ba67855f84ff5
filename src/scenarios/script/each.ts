/** What calls can be counted by, apart from one another. */
export const EACH = ['customer', 'reference'] as const;
