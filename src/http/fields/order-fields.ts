import * as z from 'zod';

import { ValidationError } from '../../core/validation-error.js';
import { convertField, digitsField, optionalField } from './field.js';
import * as fields from './fields.js';

/** The order behind a charge, and where its payer is. Both are checked, and have no effect here. */

/** The limits of client libraries. */
const PRODUCT_CODE_MAX = 12;
const ITEM_DESCRIPTION_MAX = 26;
const QUANTITY_MAX = 999_999_999;

const NOT_DECIMAL = 'must be a decimal number of 0 or more, such as 15.5 or "15.50"';
const DECIMAL = '^\\d{1,15}(\\.\\d{1,15})?$';

/** An amount that may be 0, as a number or a text. */
const optionalDecimal = () =>
  optionalField(
    convertField(digitsField(), (value) =>
      new RegExp(DECIMAL).test(String(value)) ? String(value) : new ValidationError(NOT_DECIMAL),
    ).meta({
      wrong: NOT_DECIMAL,
      amount: true,
      sent: { type: ['string', 'number'], pattern: DECIMAL, minimum: 0 },
    }),
  );

export const optionalOrder = () =>
  z
    .object({
      OrderNumber: fields.optionalText(),
      FreightAmount: optionalDecimal(),
      DutyAmount: optionalDecimal(),
      Items: optionalField(
        z.array(
          z.object({
            ProductCode: fields.optionalText(PRODUCT_CODE_MAX),
            CommodityCode: fields.optionalText(),
            Description: fields.optionalText(ITEM_DESCRIPTION_MAX),
            Quantity: fields.optionalWhole(1, QUANTITY_MAX),
            UnitOfMeasure: fields.optionalText(),
            Amount: optionalDecimal(),
            TaxAmount: optionalDecimal(),
          }),
        ),
      ),
    })
    .optional()
    .meta({ description: 'What the payer bought. It is checked, but has no effect here.' });

const optionalDegrees = (max: number) => {
  const wrong = `must be a number of degrees from -${max} to ${max}`;
  return optionalField(
    convertField(digitsField(), (value) => {
      const degrees = String(value).trim() === '' ? NaN : Number(value);
      return Math.abs(degrees) <= max ? degrees : new ValidationError(wrong);
    }).meta({ wrong, sent: { type: ['number', 'string'], minimum: -max, maximum: max } }),
  );
};

export const optionalGeolocation = () =>
  z
    .object({ Longitude: optionalDegrees(180), Latitude: optionalDegrees(90) })
    .optional()
    .meta({ description: 'Where the payer is. It is checked, but has no effect here.' });
