/** What stands in the fields of a form, by their names, without blanks around it. */
export function textsOf(event: Event): {
  readonly form: HTMLFormElement;
  readonly texts: Readonly<Record<string, string>>;
} {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  const pairs = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : '',
  ]);
  return { form, texts: Object.fromEntries(pairs) as Record<string, string> };
}
