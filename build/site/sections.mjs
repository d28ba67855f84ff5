// The sections that the search covers: a heading with its text, or an operation of the reference.
const HEADED = /(?=<(?:h[1-6]|details class="operation") id=")/;
const HEADING = /<(h[1-6]|summary)\b[^>]*>(.*?)<\/\1>/s;
const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
/** How much of an operation is searched: its description and its command. */
const OPERATION_LENGTH = 600;

/** The sections of a page. */
export function sectionsOf({ url, content }) {
  const body = content.replace(/^.*<\/head>/s, '').replaceAll(/<nav\b.*?<\/nav>|<form\b.*?<\/form>/gs, '');
  const title = textOf(HEADING.exec(body)?.[2] ?? url);
  return body.split(HEADED).flatMap((part) => {
    const id = /^<\S+(?: class="operation")? id="([^"]*)"/.exec(part)?.[1];
    const heading = textOf(HEADING.exec(part)?.[2] ?? '');
    const text = textOf(part.replace(HEADING, ''));
    if (heading === '' && text === '') return [];
    const isOperation = part.startsWith('<details');
    return {
      to: url.slice(1).replace(/(^|\/)$/, '$1index.html') + (id === undefined ? '' : `#${id}`),
      title,
      heading: heading === title ? '' : heading,
      text: isOperation ? text.slice(0, OPERATION_LENGTH) : text,
    };
  });
}

function textOf(html) {
  return html
    .replaceAll(/<!--.*?-->|<[^>]*>/gs, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => CHARACTERS[name])
    .replaceAll(/\s+/g, ' ')
    .trim();
}
