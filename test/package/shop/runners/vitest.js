export { createTest } from 'playmoney/vitest';
export { expect } from 'vitest';
