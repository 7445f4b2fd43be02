import type { AnyEngine } from "../../src/index.js";
import { type CheckAnswer, createCheck } from "./description.js";
import { describe } from "./ways.js";

/** The `fetch` option of clients. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface CheckedFetch {
  readonly fetch: Fetch;
  /** @throws Error if an answer was not as described; clients may hide what `fetch` throws. */
  readonly expectAsDescribed: () => void;
}

/** Characters shown of a fault: each record of a page may have it. */
const MAX_SHOWN = 500;

const checksByProfile = new Map<string, CheckAnswer>();

/** A `fetch` that validates answers by the OpenAPI description of the service. */
export async function createCheckedFetch(engine: AnyEngine, fetch: Fetch): Promise<CheckedFetch> {
  const check = await checkFor(engine);
  const faults: string[] = [];
  return {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const { status, headers } = response;
      const text = await response.clone().text();
      const method = init?.method ?? "GET";
      const { pathname } = new URL(url);
      const fault = check(method, pathname, { status, headers: Object.fromEntries(headers), text });
      if (fault !== null) {
        faults.push(`${method} ${pathname}: ${status}: ${fault}`.slice(0, MAX_SHOWN));
      }
      return response;
    },
    expectAsDescribed: () => {
      if (faults.length > 0) throw new Error(faults.join("\n"));
    },
  };
}

/** Engines of a profile have the same description. */
async function checkFor(engine: AnyEngine): Promise<CheckAnswer> {
  const key = JSON.stringify(engine.profile);
  const check = checksByProfile.get(key) ?? createCheck(await describe(engine));
  checksByProfile.set(key, check);
  return check;
}
