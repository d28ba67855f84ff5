/**
 * The fixed paths of the further app that a path with a placeholder of the first app fits too, and their methods:
 * fixed words win over `{id}`, also before the further app is loaded.
 */
export const FURTHER_PATHS: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/payment_method/token', ['POST']],
];
