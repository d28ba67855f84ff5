/** How many decimals the currencies have. */
export const EXPONENTS: Readonly<Record<string, number>> = { AUD: 2, USD: 2, JPY: 0, BHD: 3 };

export const SECOND = 1000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
