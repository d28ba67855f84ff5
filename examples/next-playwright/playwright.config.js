import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// A browser of the system, if there is one. Otherwise Playwright's own, after: npx playwright install chromium
const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
const PORT = process.env.SHOP_PORT ?? '3100';

export default defineConfig({
  testMatch: 'shop.spec.js',
  timeout: 60_000, // Next compiles a page when it is first opened.
  expect: { timeout: 20_000 },
  workers: 1, // The shop has one key, so its tests share one world.
  use: {
    baseURL: `http://localhost:${PORT}`,
    launchOptions: { executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] },
  },
  webServer: {
    command: `next dev --port ${PORT}`,
    url: `http://localhost:${PORT}`,
    timeout: 120_000,
    env: { WEBHOOK_SECRET: 'whsec_shop', NEXT_TELEMETRY_DISABLED: '1' },
  },
});
