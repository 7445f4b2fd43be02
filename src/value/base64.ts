/** Bytes that are made text at once: as many as one call takes for arguments. */
const PIECE = 0x6000;

/** Bytes as base64 (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(binary);
}

/** The bytes of base64, with padding or without; undefined for what is none. */
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

/** Bytes as text of `A-Z a-z 0-9 - _` (RFC 4648, section 5, without padding). */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of what {@link encodeBase64Url} writes; undefined for any other text. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  const bytes = decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes === undefined || encodeBase64Url(bytes) !== text ? undefined : bytes;
}
