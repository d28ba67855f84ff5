import { expect as expectNode } from '../../src/testing/node-test.js';
import { expect, describe } from 'vitest';
import { test } from '../../src/testing/vitest.js';
test('x', async ({ sandbox }) => {
  const bad: unknown[] = [{Currency:'aud'},{Currency:'AU$'},{Status:'PAID'},{Status:'success'},{Status:/succ/},{Status:expect.stringMatching('paid')},{Reference:7},{Amount:undefined},{Amount:20.001},{Amount:'20.0001'},{Amount:20.001,Currency:'AUD'},{Amount:20.5,Currency:'JPY'},{Amount:0},{Amount:-1},{Amount:'x'},{Amount:/2/},{Metadata:{shop:7}},{Metadata:'x'},{Refunds:[{Amount:'5'}]},{Refunds:{Amount:5}},{PaymentInformation:{Card:{Number:'x'}}},{PaymentInformation:{Card:{CardNumber:'4111111111111111'}}},{PaymentInformation:{Type:'card'}},{DateAdded:'2026-01-01T00:00:00Z'},{DateAdded:'yesterday'},{ChargeId:'x'},{ThreeDsVerified:'true'},{RefundedAmount:0},{ChargeId:null},Promise.resolve({}),'order-1',null,undefined,[], new Map([['a',1]]),{Reference:Promise.resolve('x')},{BatchId:7},{Refunds:[{Amount:20.001}]},{Zzz:1}, {Provider: 'x'}, {FailedAttempts:[]}];
  for (const b of bad) {
    const m = await expect(sandbox).not.toHaveCharged(b as object).then(()=>'PASSED', (e:Error)=>e.message);
    console.log(b, '=>', m);
  }
  const del: [string, unknown?][] = [['transaction.status.changed',{data:{Status:'SUCCESS'}}],['transaction.status.changed',{data:{amount:'20'}}],['transaction.status.changed',{data:{status:'AUTHORISE'}}],['transaction.status.changed',{data:{status:'Authorized'}}],['transaction.status.changed',{Data:{}}],['customer.created',{data:{status:'x'}}],['transaction.status.changed',{meta:{eventType:'customer.created'}}],['transaction.status.changed',{reference:'x'}],['transaction.status.changed',{data:{reference:/x/, batchId:null, paymentInformation:{providerType:'x'}}}],['transaction.status.changed',undefined],['batch.status.changed',{data:{status:'DONE', success:'2'}}]];
  for (const b of del) {
    const m = await expect(sandbox).not.toHaveDelivered(...b as [never]).then(()=>'PASSED', (e:Error)=>e.message);
    console.log(b, '=>', m);
  }
});
