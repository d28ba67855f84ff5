import * as z from 'zod';

import { quoted } from '../../core/text.js';
import { operationHint } from '../../scenarios/operation-hint.js';
import { type Operation, OPERATIONS } from '../../scenarios/operations.js';
import { Invalid, readAs } from '../../http/field.js';

/** An operation by its name. A mistyped one would never match. */
export const operationName = () =>
  readAs(
    z.string(),
    (value): Operation | Invalid =>
      OPERATIONS.find((one) => one === value) ?? new Invalid(`is ${quoted(value)}; ${operationHint(value)}`),
  ).meta({ wrong: (kind) => `is ${kind}; ${operationHint('')}`, enum: [...OPERATIONS] });
