import { isObject } from '../text/text.js';
import { ABSENT_FIELDS, ANSWER_WORDS, OWN_MAPS } from './sdk-tables.js';

/** Copies an answer for client libraries: names begin with a lower-case letter, except the keys of a caller's own maps. */
export function toSdk(documented: unknown): unknown {
  if (Array.isArray(documented)) return documented.map(toSdk);
  if (!isObject(documented)) return documented;
  const answer: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(documented)) {
    answer[toSdkName(name)] = OWN_MAPS.has(name) ? inner : (findSdkWord(name, inner) ?? toSdk(inner));
    for (const [absent, value] of ABSENT_FIELDS.get(name) ?? []) answer[toSdkName(absent)] ??= value;
  }
  const { paymentInformation, provider } = answer;
  if (isObject(paymentInformation))
    answer['paymentInformation'] = presentSdkPayment(paymentInformation, provider);
  return answer;
}

function presentSdkPayment(payment: object, provider: unknown): object {
  const type = isObject(provider) && 'type' in provider ? provider.type : null;
  return { ...payment, displayType: null, providerType: type };
}

export function toSdkName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function findSdkWord(name: string, value: unknown): string | undefined {
  return typeof value === 'string' ? ANSWER_WORDS.get(name)?.get(value) : undefined;
}
