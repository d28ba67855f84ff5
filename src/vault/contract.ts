import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { ccvMisfits, ccvRefused, optionalCcv, pan } from '../wire/card-fields.js';
import { optionalInstant, optionalSeconds } from '../wire/fields.js';

export const CreateEntry = z
  .object({
    CardNumber: pan(),
    Ccv: optionalCcv(),
    ExpireSeconds: optionalSeconds(CODE.InvalidExpireDateOrExpireSeconds),
    ExpireDate: optionalInstant(CODE.InvalidExpireDateOrExpireSeconds),
  })
  .transform((body, context) => {
    if (ccvMisfits(body.CardNumber, body.Ccv)) return ccvRefused(context);
    const expiry = { seconds: body.ExpireSeconds, instant: body.ExpireDate };
    return { pan: body.CardNumber, ccv: body.Ccv, expiry };
  });
