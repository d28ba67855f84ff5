export { createTest } from 'playmoney/jest';
export { expect } from '@jest/globals';
