// The playground: a page whose sandbox is a service worker in the browser of its reader.
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bar } from './page.11ty.mjs';

const DAYS = [
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
];

/** Writes the page, and the two files of the package that it needs. A service worker answers only for its folder and those below. */
export async function addPlayground(root, out) {
  for (const name of ['browser.js', 'texts.json']) await copyFile(join(root, 'dist', name), join(out, name));
  await writeFile(join(out, 'playground.html'), PAGE);
}

const PAGE = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Playground · playmoney</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/playground.css">
<script src="assets/search.js" defer></script>
<script src="assets/playground.js" defer></script>
</head>
<body>
${bar((path) => path.slice(1))}
<main>
<h1>Playground</h1>
<p>A payment gateway that runs in this page: pay, watch the dashboard, move the clock. No server takes part, and nothing leaves your
browser. <a href="docs/guides/browser.html">How it works</a></p>
<p id="problem" role="alert" hidden></p>
<form id="clock">
<p>The clock: <output id="now">…</output></p>
<label>Advance by <select id="by">${DAYS.map(([value, name]) => `<option value="${value}">${name}</option>`).join('')}</select></label>
<button>Advance</button>
<button type="button" id="again">Pay again</button>
<button type="button" id="reset">Start again</button>
</form>
<div class="frames">
<iframe id="checkout" title="Checkout"></iframe>
<iframe id="dashboard" title="Dashboard"></iframe>
</div>
</main>
</body>
</html>
`;
