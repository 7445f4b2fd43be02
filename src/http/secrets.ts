/** API keys, keys of invitations, and tokens of file URLs (rules, H-4). */
const SECRETS =
  /(key_)[0-9a-z]{32}|(ik_)[0-9a-z]{24}|((?:\/|%2f|\\u002f)file(?:\\?\/|%2f|\\u002f))[\w-]{80,}/gi;

/** Replaces the secrets in a text by `…`. */
function hideSecrets(text: string): string {
  return text.replace(SECRETS, (_, key = "", invite = "", file = "") => `${key}${invite}${file}…`);
}

/** The codes of letters, digits, `-` and `_`, which need no escapes. */
const UNRESERVED = "(2d|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)";
const IN_JSON = new RegExp(`\\\\\\\\|\\\\u00${UNRESERVED}`, "gi");
const IN_URL = new RegExp(`%${UNRESERVED}`, "gi");

/** Hides secrets in JSON, where letters may be escaped. */
export function hideInJson(text: string): string {
  return hideSecrets(text.includes("\\u") ? decode(text, IN_JSON) : text);
}

/** Hides secrets in a part of a URL, where letters may be percent-encoded. */
export function hideInUrl(text: string): string {
  return hideSecrets(text.includes("%") ? decode(text, IN_URL) : text);
}

function decode(text: string, escapes: RegExp): string {
  return text.replace(escapes, (found, code?: string) =>
    code === undefined ? found : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
