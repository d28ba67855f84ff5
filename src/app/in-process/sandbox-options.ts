import type { SandboxOptions } from '../../client/public.js';
import { refuseUnknownNames } from '../../core/given.js';
import { WORLD_OPTIONS } from '../../world/settings.js';

/** The options of a sandbox that are not those of a world. The compiler demands each of them, and no other. */
const OWN_OPTIONS: Record<Exclude<keyof SandboxOptions, keyof typeof WORLD_OPTIONS>, true> = {
  seed: true,
  clock: true,
  scenario: true,
  keys: true,
  deliver: true,
  basePath: true,
  trustProxy: true,
  allowedHosts: true,
  allowedOrigins: true,
  adminToken: true,
  bodyLimit: true,
  batchBodyLimit: true,
  memoryMax: true,
  worldsMax: true,
  recordsMax: true,
  host: true,
};

export function refuseUnknownSandboxOptions(options: SandboxOptions): void {
  refuseUnknownNames('A sandbox', options, { ...OWN_OPTIONS, ...WORLD_OPTIONS });
}
