/** API keys, keys of invitations, and tokens of file URLs, but not ids of files (rules A-1, A-3, H-4). */
const SECRETS =
  /(key_)[0-9a-z]{32}|(ik_)[0-9a-z]{24}|(?<!\/column\/[^/"]*)((?:\/|\\\/|%2f)file(?:\/|\\\/|%2f))[\w-]{80,}/gi;

/** Replaces the secrets in a text by `…`. */
function hideSecrets(text: string): string {
  return text.replace(SECRETS, (_, key = "", invite = "", file = "") => `${key}${invite}${file}…`);
}

/** Hides secrets in JSON, where letters may be escaped. */
export function hideInJson(text: string): string {
  return hideSecrets(
    text.includes("\\u") ? decodeNeedless(text, /\\\\|\\u00([0-9a-f]{2})/gi) : text,
  );
}

/** Hides secrets in a part of a URL, where letters may be percent-encoded. */
export function hideInUrl(text: string): string {
  return hideSecrets(text.includes("%") ? decodeNeedless(text, /%([0-9a-f]{2})/gi) : text);
}

/** Decodes needless escapes of letters, digits, `-` and `_`. */
function decodeNeedless(text: string, escapes: RegExp): string {
  return text.replace(escapes, (found, code?: string) => {
    const character = String.fromCharCode(Number.parseInt(code ?? "0", 16));
    return /[\w-]/.test(character) ? character : found;
  });
}
