import { ANY_OBJECT } from "../../shape/schema.js";
import type { Reply } from "../message.js";
import { defineRoute, type Routes, type UnnamedRoute } from "../route.js";

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
export const PAGE_ROUTES: Routes = {
  redirectToPage: definePage("/_twinbase", async () => ({
    status: 308,
    content: "",
    headers: { location: "_twinbase/" },
  })),
  getPage: defineFile(""),
  getPageScript: defineFile("app.js"),
  getPageStyle: defineFile("app.css"),
  getPageIcon: defineFile("icon.svg"),
};

function defineFile(name: keyof typeof import("#page").PAGE): UnnamedRoute {
  return definePage(`/_twinbase/${name}`, async () => {
    const { PAGE } = await import("#page");
    const { type, text } = PAGE[name];
    return { status: 200, content: text, headers: { ...HEADERS, "content-type": type } };
  });
}

function definePage(path: string, answer: () => Promise<Reply>): UnnamedRoute {
  return defineRoute({
    at: `GET ${path}`,
    summary: "A file of the explorer.",
    isPublic: true,
    isUndescribed: true,
    answers: { 200: ANY_OBJECT },
    reply: answer,
  });
}
