import { replaceFile } from '../files/whole-file.js';

interface BundledWorld {
  exportBundle(): Promise<object>;
}

/**
 * Writes the bundle of a world, in process or on a server, into a file that only its owner can read. Replaces a file of that name.
 * Rejects with a FileError, or with a SandboxError if the server refuses.
 */
export async function writeBundleFile(world: BundledWorld, file: string): Promise<void> {
  const text = JSON.stringify(await world.exportBundle());
  await replaceFile(file, (write) => write(`${text}\n`));
}
