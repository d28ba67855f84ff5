import type * as z from 'zod';

import { CODE, errorRow } from '../core/errors.js';
import { toSdk } from '../core/sdk-answer.js';
import type { ErrorBody } from './dialect.js';
import type { JsonValue } from './json.js';
import { type Entries, prepareSdk, shapeOf } from './shape.js';

/** The page of the service that its error codes lead to. */
const ERROR_CODES = 'https://docs.payfurl.com/errorcodes';

/** The sdk dialect: how client libraries of the service send requests, and read answers and errors. */
export class Sdk {
  /** What was sent, in the names and values of a schema. */
  read(schema: z.ZodType, entries: Entries): Record<string, unknown> {
    return prepareSdk(entries, shapeOf(schema));
  }

  /** A body as it is read: PHP writes an object without members as an empty list. */
  body(sent: JsonValue): JsonValue {
    return Array.isArray(sent) && sent.length === 0 ? {} : sent;
  }

  /** The Reference of a body, whatever its case; null where it has none. */
  referenceOf(body: object): unknown {
    const found = Object.entries(body).find(
      ([name, value]) => value !== null && name.toLowerCase() === 'reference',
    );
    return found?.[1] ?? null;
  }

  answer(documented: object): object {
    return toSdk(documented) as object;
  }

  /** The code's own message alone, and details of code 90 alone. */
  error(documented: ErrorBody): object {
    const code = documented.Code;
    return {
      message: errorRow(code).message,
      code,
      isRetryable: documented.IsRetryable,
      type: `${ERROR_CODES}#${code}`,
      resource: documented.Resource,
      details: code === CODE.ValidationError ? documented.Details : null,
      gatewayCode: documented.GatewayCode,
      gatewayMessage: documented.GatewayMessage,
      httpStatus: documented.HttpStatus,
    };
  }
}
