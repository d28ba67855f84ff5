/** The parts that are packed into the page. */
interface PackedParts {
  /** The script of `playmoney/browser`, and the texts that it loads. */
  readonly program: string;
  readonly texts: object;
  /** The modules of the dashboard by name, the first of which starts it, and its style sheet. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly style: string;
  readonly bundle: object;
}

interface BrowserProgram {
  readonly openSandbox: (options: object) => Promise<{ fetch: typeof fetch; intercept(base: string): void }>;
}

const dashboard = document.getElementById('dashboard');

interface OpenedWorlds {
  readonly Worlds: readonly { readonly Key: string | null }[];
}

/** The key of the world in this page begins like this. The page does not have the one that it had on its server. */
const KEY = 'sk_test_local';

/** Twice what the server packs: a character can take more than a byte. */
const WORLD_BYTES_MAX = 128 * 1024 * 1024;

async function unpackParts(): Promise<PackedParts> {
  const binary = atob(document.getElementById('packed')?.textContent ?? '');
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(plain).json()) as PackedParts;
}

const buildScriptAddress = (text: string): string =>
  URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

/** Answers the only file that the program asks for. No other request leaves the page, whatever its policy allows. */
function replaceFetch(texts: object): void {
  globalThis.fetch = async (asked) => {
    if (asked === 'texts.json') return Response.json(texts);
    throw new TypeError('This page has no server.');
  };
}

async function openWorld({ program, bundle }: PackedParts): Promise<void> {
  const { openSandbox } = (await import(buildScriptAddress(program))) as BrowserProgram;
  const sandbox = await openSandbox({
    database: null,
    clock: 'manual',
    webhooks: 'off',
    batchBodyLimit: WORLD_BYTES_MAX,
  });
  const opened = await sandbox.fetch('/_sandbox/open', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-secretkey': KEY },
    body: JSON.stringify(bundle),
  });
  if (!opened.ok) throw new Error(await opened.text());
  const { Worlds } = (await opened.json()) as OpenedWorlds;
  if (dashboard === null) return;
  dashboard.dataset['key'] = Worlds[0]?.Key ?? KEY;
  sandbox.intercept(dashboard.dataset['home'] ?? '');
}

/** Starts the dashboard. A module of a file cannot import its neighbours, so each gets an address of its own. */
async function startDashboard({ scripts, style }: PackedParts): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
  const addresses = new Map<string, string>();
  const addressOf = (name: string): string => {
    const known = addresses.get(name);
    if (known !== undefined) return known;
    const text = (scripts[name] ?? '').replaceAll(/"\.\/([^"]+\.js)"/g, (quoted, imported: string) =>
      imported in scripts ? JSON.stringify(addressOf(imported)) : quoted,
    );
    const address = buildScriptAddress(text);
    addresses.set(name, address);
    return address;
  };
  await import(addressOf(Object.keys(scripts)[0] ?? ''));
}

async function openPage(): Promise<void> {
  // Otherwise the program tries whether it may compile code, which the policy of this page reports.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const parts = await unpackParts();
  replaceFetch(parts.texts);
  await openWorld(parts);
  await startDashboard(parts);
}

openPage().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  dashboard?.append(`This page could not be opened: ${reason}`);
});
