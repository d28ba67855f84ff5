import { wireSearch } from './search.js';

/** The script of the page of error codes: its search. */
const rows = [...document.querySelectorAll<HTMLTableRowElement>('tbody tr')];
wireSearch(rows, (row) => row.textContent.toLowerCase(), 'codes');
