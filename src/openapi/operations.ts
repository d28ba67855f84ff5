import { SECTIONS } from '../sections.js';

export { SECTIONS };

export const OPERATION_ROWS = SECTIONS.flatMap(({ rows }) => rows);
