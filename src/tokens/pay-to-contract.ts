import { agreementOf, payTo } from '../wire/pay-to-fields.js';

export const CreatePayToToken = payTo.transform((body) => ({
  providerId: body.ProviderId,
  agreement: agreementOf(body),
  ip: body.Ip,
  metadata: body.Metadata,
}));
