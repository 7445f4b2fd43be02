/** Bytes per call, as the number of arguments is limited. */
const PIECE = 0x6000;

/** RFC 4648, section 4. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(binary);
}

/** Decodes base64 with optional padding; undefined for invalid text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** RFC 4648, section 5, without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes canonical base64url; undefined for other text. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  const bytes = decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes === undefined || encodeBase64Url(bytes) !== text ? undefined : bytes;
}
