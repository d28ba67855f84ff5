export function dropNulls<F extends object>(fields: F): { [K in keyof F]?: NonNullable<F[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof F]?: NonNullable<F[K]> };
}
