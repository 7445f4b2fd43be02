import { ANY_OBJECT } from "../../json-schema.js";
import type { PageFile } from "../message.js";
import { defineRoute, type Route } from "../route.js";

/** The page loads files from, and calls, its own origin only. */
const HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The files of the explorer. They contain no data, so they need no key. */
export const PAGE_ROUTES: readonly Route[] = [
  definePage("/_twinbase", "redirectToPage", async () => ({
    status: 308,
    file: { text: "", headers: { location: "_twinbase/" } },
  })),
  ...(["", "app.js", "app.css", "icon.svg"] as const).map((name) =>
    definePage(`/_twinbase/${name}`, `getPage${name}`, async () => {
      const { PAGE } = await import("#page");
      const { type, text } = PAGE[name];
      const file: PageFile = { text, headers: { ...HEADERS, "content-type": type } };
      return { status: 200, file };
    }),
  ),
];

function definePage(
  path: string,
  operation: string,
  answer: () => Promise<{ status: number; file: PageFile }>,
): Route {
  return defineRoute({
    at: `GET ${path}`,
    operation,
    summary: "A file of the explorer.",
    isPublic: true,
    isUndescribed: true,
    answers: { 200: ANY_OBJECT },
    reply: answer,
  });
}
