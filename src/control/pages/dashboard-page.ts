import { whyNoOutcome } from '../../scenarios/idle.js';
import { OPERATIONS } from '../../scenarios/model.js';

/** What an outcome can be queued for. */
const OPERATIONS_WITH_OUTCOME = OPERATIONS.filter((operation) => whyNoOutcome([operation]) === null);

/** The dashboard before its script runs. It holds nothing of any world: the script reads all with the key that it is given. */
export function dashboardPage(): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>playmoney</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_sandbox/dashboard.css">
<script src="/_sandbox/dashboard.js" defer></script>
</head>
<body>
<div id="dashboard" data-operations="${OPERATIONS_WITH_OUTCOME.join(' ')}"></div>
<noscript><p>The dashboard is made by a script: allow scripts of this page.</p></noscript>
</body>
</html>
`;
}
