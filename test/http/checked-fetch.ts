import type { AnyEngine } from "../../src/index.js";
import { type CheckAnswer, createCheck } from "./description.js";
import { describe } from "./ways.js";

/** A fetch as clients are given one. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface CheckedFetch {
  readonly fetch: Fetch;
  /** @throws Error where an answer was not as described: a client may hide what its fetch throws. */
  readonly expectAsDescribed: () => void;
}

/** Most characters told of an answer: each record of a page may have the same fault. */
const MAX_SHOWN = 500;

const checksByProfile = new Map<string, CheckAnswer>();

/** A fetch whose every answer is held against the service's own description. */
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

/** The description says the same of every engine of a profile. */
async function checkFor(engine: AnyEngine): Promise<CheckAnswer> {
  const key = JSON.stringify(engine.profile);
  const check = checksByProfile.get(key) ?? createCheck(await describe(engine));
  checksByProfile.set(key, check);
  return check;
}
