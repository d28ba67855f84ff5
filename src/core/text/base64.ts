/** A multiple of three, so that pieces can be joined without padding. */
const PIECE_BYTES = 24_576;

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    text += btoa(
      String.fromCharCode.apply(null, bytes.subarray(from, from + PIECE_BYTES) as unknown as number[]),
    );
  }
  return text;
}

/** The bytes of Base64 with padding; undefined for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const binary = decodeBinary(text);
  if (binary === undefined) return undefined;
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function decodeBinary(text: string): string | undefined {
  // atob accepts text without padding.
  if (text.length % 4 !== 0) return undefined;
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}
