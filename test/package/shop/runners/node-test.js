export { createTest, expect } from 'playmoney/node-test';
