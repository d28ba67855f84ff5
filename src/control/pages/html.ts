const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it may stand in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** The pages of the sandbox for people, in their order. */
const PAGES = [
  ['/_sandbox', 'Dashboard'],
  ['/_sandbox/reference', 'Reference'],
  ['/_sandbox/errors', 'Error codes'],
  ['/_sandbox/checkout', 'Checkout'],
] as const;

/** The way from one of the pages to the others. */
export function pageLinks(here: (typeof PAGES)[number][1]): string {
  const links = PAGES.map(([path, name]) =>
    name === here ? `<span aria-current="page">${name}</span>` : `<a href="${path}">${name}</a>`,
  );
  return `<nav aria-label="Pages"><p>playmoney: ${links.join(' · ')}</p></nav>`;
}

/** The style sheet that all pages share. */
const STYLES = ['page.css'];

/** A page that is made of the given content: it loads style sheets and scripts of ours, in their order. */
export function livePage(
  title: string,
  scripts: readonly string[],
  content: string,
  styles: readonly string[] = STYLES,
): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${styles.map((name) => `<link rel="stylesheet" href="/_sandbox/${name}">`).join('\n')}
${scripts.map((name) => `<script src="/_sandbox/${name}" defer></script>`).join('\n')}
</head>
<body>
${content}
</body>
</html>
`;
}
