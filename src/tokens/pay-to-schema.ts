import { agreementOf, payTo } from '../http/pay-to-fields.js';

export const CreatePayToToken = payTo.transform((body) => ({
  providerId: body.ProviderId,
  agreement: agreementOf(body),
  ip: body.Ip,
  metadata: body.Metadata,
}));
