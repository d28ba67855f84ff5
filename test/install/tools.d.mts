export interface Run {
  readonly code: number;
  readonly output: string;
}

/** How npm describes a tarball, and where it is. */
export interface Packed {
  readonly path: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

export const VITEST: string;
export function run(
  program: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Run>;
export function packInto(folder: string): Packed;
