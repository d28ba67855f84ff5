// The stubs and data of the servers that are configured, not programmed.
import { answerFor, idOf } from '../answer.mjs';
import { CHARGE } from '../support.mjs';

/** The answer that these servers are configured with. */
const ANSWER = answerFor(idOf(1), JSON.parse(CHARGE));
const JSON_TYPE = 'application/json; charset=utf-8';

/** An imposter of mountebank. */
export function imposter(port) {
  const headers = { 'content-type': JSON_TYPE, connection: 'keep-alive' };
  const responses = [{ is: { statusCode: 200, headers, body: ANSWER } }];
  const make = [
    { equals: { method: 'POST', path: '/charge/card' } },
    { exists: { body: true } },
    { matches: { body: { ProviderId: '^[0-9a-f]{32}$', PaymentInformation: { CardNumber: '^[0-9]+$' } } } },
  ];
  const read = [{ equals: { method: 'GET' } }, { startsWith: { path: '/charge/' } }];
  const stubs = [
    { predicates: make, responses },
    { predicates: read, responses },
  ];
  return { protocol: 'http', port, host: '127.0.0.1', recordRequests: false, stubs };
}

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

/** An environment of Mockoon with one CRUD route. */
export function mockoonEnvironment(port) {
  const bucket = { uuid: 'b1', id: 'b1', name: 'charges', documentation: '', value: '[]' };
  const response = {
    uuid: 'r1-response',
    statusCode: 200,
    label: '',
    headers: [],
    body: '',
    latency: 0,
    bodyType: 'DATABUCKET',
    databucketID: bucket.id,
    filePath: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  };
  const route = {
    uuid: 'r1',
    type: 'crud',
    documentation: '',
    method: '',
    endpoint: 'charge/card',
    responses: [response],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  };
  return {
    uuid: 'e1',
    lastMigration: 33,
    name: 'bench',
    endpointPrefix: '',
    latency: 0,
    port,
    hostname: '127.0.0.1',
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false },
    cors: false,
    headers: [{ key: 'content-type', value: JSON_TYPE }],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [bucket],
    callbacks: [],
  };
}
