/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string | Blob, type = 'application/json'): void {
  const address = URL.createObjectURL(typeof text === 'string' ? new Blob([text], { type }) : text);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
