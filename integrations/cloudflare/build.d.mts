export function buildWorker(entry?: string, outfile?: string): Promise<string>;
