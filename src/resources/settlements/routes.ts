import { requireWorld } from '../../http/exchange.js';
import { type AnyRow, route } from '../../http/route.js';
import { presentSettlement } from './presenter.js';
import { SettlementsQuery, SettlementList } from './schema.js';
import { listSettlements } from './service.js';

export const SETTLEMENT_ROWS: readonly AnyRow[] = [
  route({
    method: 'get',
    path: '/settlements',
    id: 'getSettlements',
    operation: 'settlement.search',
    summary: 'List settlements',
    text: 'Returns what was settled from startDate to endDate, inclusive. A charge settles on the day after its capture; a refund or a transfer settles on the day after it was made, as a negative amount.',
    query: SettlementsQuery,
    // An array without pages, so it has its own limit.
    response: SettlementList,
    handle: (c, { query }) => {
      const world = requireWorld(c);
      const { found, count } = listSettlements(world, query);
      if (count > found.length) {
        c.get('exchange').warnings.push(
          `there are ${count} settlements, and only the latest ${found.length} are returned; ask for fewer days`,
        );
      }
      return found.map((settlement) => presentSettlement(world, settlement));
    },
  }),
];
