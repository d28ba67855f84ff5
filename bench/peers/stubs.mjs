// The stubs and data of the servers that are configured, not programmed.
import { answerFor, idOf } from '../answer.mjs';
import { CHARGE } from '../support.mjs';

/** The answer that these servers are configured with. */
const ANSWER = answerFor(idOf(1), JSON.parse(CHARGE));
const JSON_TYPE = 'application/json; charset=utf-8';

/** The stubs of wiremock. */
export function wiremockMappings() {
  const response = { status: 200, headers: { 'content-type': JSON_TYPE }, jsonBody: ANSWER };
  const bodyPatterns = [
    { matchesJsonPath: '$[?(@.Amount > 0)]' },
    { matchesJsonPath: '$[?(@.PaymentInformation.CardNumber =~ /[0-9]{12,19}/)]' },
  ];
  return [
    { request: { method: 'POST', urlPath: '/charge/card', bodyPatterns }, response },
    { request: { method: 'GET', urlPathPattern: '/charge/[0-9a-f]{32}' }, response },
  ];
}
