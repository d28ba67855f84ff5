/** What stands before the Base64 of a secret in the form of Standard Webhooks. */
const PREFIX = 'whsec_';
/** How many bytes a secret has, as Standard Webhooks say. */
const BYTES_MIN = 24;
const BYTES_MAX = 64;

/** What is said where a text is no secret. */
export const SECRET_TAKES = 'whsec_ and the Base64 of 24 to 64 bytes, or that Base64 alone';

/** The Base64 of a secret: without the `whsec_` that may stand in front. */
export function base64Of(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

/** Whether webhooks can be signed with a text. */
export function isWebhookSecret(text: string): boolean {
  const base64 = base64Of(text);
  const [, digits = '', padding = ''] = /^([A-Za-z\d+/]*)(={0,2})$/.exec(base64) ?? [];
  const bytes = Math.floor((digits.length * 3) / 4);
  return (
    base64.length === digits.length + padding.length &&
    base64.length % 4 === 0 &&
    bytes >= BYTES_MIN &&
    bytes <= BYTES_MAX
  );
}
