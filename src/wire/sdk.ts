import type * as z from 'zod';

import { CODE, errorRow } from '../core/errors.js';
import { toSdk } from '../core/sdk-answer.js';
import type { ErrorBody } from './dialect.js';
import { type Entries, respell, type Shape, shapeOf } from './sdk-request.js';

/** The page of the service that its error codes lead to. */
const ERROR_CODES = 'https://docs.payfurl.com/errorcodes';

/** The sdk dialect: how client libraries of the service send requests, and read answers and errors. */
export class Sdk {
  readonly #shapes = new WeakMap<z.ZodType, { readonly shape: Shape | null }>();

  /** What was sent, in the names and values of a contract. */
  read(schema: z.ZodType, entries: Entries): Record<string, unknown> {
    let known = this.#shapes.get(schema);
    if (known === undefined) {
      known = { shape: shapeOf(schema) };
      this.#shapes.set(schema, known);
    }
    return respell(entries, known.shape);
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
