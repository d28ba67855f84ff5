export { createTest, expect } from 'playmoney/playwright';
