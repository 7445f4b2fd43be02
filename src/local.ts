import { createLocalFetch } from "./http/local-fetch.js";
import type { Fetch } from "./http/web.js";

/** The `fetch` that importing this module installs, with the server at the variable `TWINBASE_URL`. */
export const localFetch: Fetch = createLocalFetch(process.env.TWINBASE_URL);

globalThis.fetch = localFetch as typeof globalThis.fetch; // the same but for overloads
