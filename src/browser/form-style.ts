/** System colours follow the page's own colour scheme, so the form looks right on a light page and on a dark one. */
const STYLE = `
.playmoney-form { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; margin: 0; }
.playmoney-form > * { grid-column: 1 / -1; }
.playmoney-form > .playmoney-half { grid-column: auto; }
.playmoney-form label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
.playmoney-form input, .playmoney-form button {
  box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem;
  font: inherit; font-variant-numeric: tabular-nums; border-radius: 0.375rem;
}
.playmoney-form input {
  color: FieldText; background: Field; border: 1px solid color-mix(in srgb, CanvasText 45%, transparent);
}
.playmoney-form input[aria-invalid="true"] { border-color: light-dark(#b3261e, #ff9a92); }
.playmoney-form button {
  color: light-dark(#fff, #10131a); background: light-dark(#1d4ed8, #9db8ff); border: 0; font-weight: 600; cursor: pointer;
}
.playmoney-form button[aria-disabled="true"] { opacity: 0.6; cursor: default; }
.playmoney-form :focus-visible { outline: 3px solid light-dark(#1d4ed8, #9db8ff); outline-offset: 2px; }
.playmoney-error, .playmoney-message { margin: 0.25rem 0 0; color: light-dark(#b3261e, #ff9a92); overflow-wrap: anywhere; }
.playmoney-error:empty, .playmoney-message:empty { display: none; }
.playmoney-hint { font-weight: 400; }
`;

const sheets: { made: CSSStyleSheet | null } = { made: null };

/** Styles the forms of the page, once. A constructed sheet passes a strict content security policy, which an inline one does not. */
export function styleForms(): void {
  if (sheets.made !== null) return;
  sheets.made = new CSSStyleSheet();
  sheets.made.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheets.made];
}
