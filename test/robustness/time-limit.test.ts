import { afterEach, describe, expect, it, vi } from "vitest";
import { listOperations, readNames } from "../../scripts/attack/bad-requests.mjs";
import { samplesOf, toXata } from "../../scripts/attack/samples.mjs";
import { walkDiff } from "../../src/engine/changes.js";
import { Engine } from "../../src/engine.js";
import { createControl, createFetch } from "../../src/http.js";
import { type AnyEngine, createEngine, type ProfileName } from "../../src/index.js";
import { createFixture } from "../http/fixture.js";
import { prepareForBodies } from "../http/good-bodies.js";

const ORIGIN = "http://acme.us-east-1.localhost";

/** Returned columns, of the records of these routes. */
const RETURNED = "columns=*,team.name,home.city,photo.name";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** Valid requests to all routes. */
async function listRequests(engine: AnyEngine): Promise<Sent[]> {
  const ask = (url: string, init?: RequestInit) =>
    createFetch(engine)(url.replace("http://x", ORIGIN), init);
  const names = await readNames(ask);
  return (await listOperations(ask)).flatMap((operation) =>
    samplesOf(operation, names).flatMap(({ method, url, body }) => {
      const given = JSON.stringify(body);
      const text = engine.profile.base === "xata" && given !== undefined ? toXata(given) : given;
      const one = { method, path: url, body: text };
      if (!/\/data(\/[^/?]*)?(\?|$)/.test(url)) return [one];
      const search = url.includes("?") ? `${url.replace(/columns=[^&]*/, "")}&` : `${url}?`;
      return [
        one,
        { ...one, path: search + RETURNED },
        { ...one, path: `${search}columns=id,bio,name` },
      ];
    }),
  );
}

async function openFilled(profile: ProfileName) {
  const engine = createFixture(profile);
  await prepareForBodies(engine);
  const mapping = { gitBranch: "feature", [engine.profile.mappingTarget]: "dev" };
  engine.workspace("acme").database("shop").gitBranches.add(mapping);
  engine.createKey("usr_0", "spare", true);
  const requests = await listRequests(engine);
  const limited = createEngine({ profile, limits: { queryMs: 1000 }, seed: 7, now: 0 });
  limited.restore(engine.snapshot());
  return { engine: limited, requests };
}

describe.each(["documented", "xata"] as const)(
  "a request that is refused at its time limit: %s",
  (profile) => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    it.each(["", "/_twinbase/service"])(
      "E-5, L-10: has changed nothing, log included%s",
      async (above) => {
        const { engine, requests } = await openFilled(profile);
        const context = Engine.contextOf(engine);
        const saved = engine.snapshot();
        const ask = createFetch(engine, { control: createControl() });
        const faults: string[] = [];
        let refused = 0;
        let persisted = 0;
        context.feed.sink = {
          requireReady: () => {},
          persist: () => void persisted++,
          flushed: () => undefined,
        };
        for (const { method, path, body } of requests) {
          const init = { method, ...(body !== undefined && { body }) };
          for (let looks = 1; ; looks++) {
            engine.restore(saved);
            persisted = 0;
            const { nextId, tablesMade, state } = context;
            let looked = 0;
            vi.spyOn(performance, "now").mockImplementation(() => (++looked < looks ? 0 : 1e6));
            const { status } = await ask(`${ORIGIN}${above}${path}`, init);
            vi.restoreAllMocks();
            const name = `${method} ${path}, look ${looks}: ${status}`;
            if (status < 300 || status === 501) {
              if (looked < looks) break;
              continue;
            }
            if (status === 408) refused++;
            const isSame =
              context.state === state &&
              context.nextId === nextId &&
              context.tablesMade === tablesMade &&
              walkDiff(saved, engine.snapshot()).next().done === true;
            if (status !== 408 || !isSame || persisted > 0) faults.push(name);
          }
        }
        expect(faults).toEqual([]);
        expect(refused).toBeGreaterThan(requests.length / 2);
      },
    );
  },
);
