import { existsSync } from 'node:fs';

/** Where Debian, Ubuntu and others put a browser; CHROMIUM_PATH names another one. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; undefined: there is none, and the tests are skipped. */
export const CHROMIUM = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find(
  (path) => path !== '' && existsSync(path),
);

/** Says before the tests that they are skipped, and what would let them run. */
export function setup(): void {
  if (CHROMIUM !== undefined) return;
  process.stdout.write(
    `Browser tests are skipped: there is no chromium at ${PLACES.join(', ')}. ` +
      'Install one (apt-get install chromium), or name it in CHROMIUM_PATH.\n',
  );
}
