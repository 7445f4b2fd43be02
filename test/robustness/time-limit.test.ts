import { afterEach, describe, expect, it, vi } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine, type Engine, type ProfileName } from "../../src/index.js";
import { createFixture } from "../http/fixture.js";
import { goodBodies, prepareForBodies } from "../http/good-bodies.js";
import { digest } from "./digest.js";

const PROFILES: readonly ProfileName[] = ["documented", "xata"];
const LIMIT_MS = 100;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes the time limit strike at the given look at the clock, counted from 0. */
function strikeAt(look: number): void {
  let looks = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (looks++ < look ? 0 : 2 * LIMIT_MS));
}

/** Runs a call with the limit at each of its looks at the clock, until it passes; returns their number. */
async function strikeEach(
  engine: Engine,
  name: string,
  call: () => Promise<"timeout" | "other">,
): Promise<number> {
  const saved = engine.snapshot();
  const before = digest(engine);
  for (let look = 1; ; look++) {
    strikeAt(look);
    const outcome = await call();
    vi.restoreAllMocks();
    if (outcome !== "timeout") {
      engine.restore(saved);
      return look - 1;
    }
    expect(digest(engine), `${name} at look ${look}`).toBe(before);
  }
}

describe.each(PROFILES)("E-5, L-10: a request that times out anywhere, under %s", (profile) => {
  it("has written nothing", async () => {
    const fixture = createFixture(profile);
    await prepareForBodies(fixture);
    const base = profile as "documented"; // only types differ
    const engine = createEngine({ profile: base, now: 0, seed: 7, limits: { queryMs: LIMIT_MS } });
    engine.restore((fixture as Engine).snapshot());
    const fetch = createFetch(engine, { workspace: "acme" });
    const target = profile === "xata" ? "xataBranch" : "serviceBranch";
    let struck = 0;
    for (const { method, path, body } of await goodBodies(target, createFetch(fixture))) {
      struck += await strikeEach(engine, `${method} ${path} ${JSON.stringify(body)}`, async () => {
        const init = { method, body: JSON.stringify(body) };
        const { status } = await fetch(`http://localhost${path}`, init);
        return status === 408 ? "timeout" : "other";
      });
    }
    expect(struck).toBeGreaterThan(20);
  });
});
