import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnyEngine, ProfileName } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { digest } from "./digest.js";
import { change, mutate } from "./junk.js";
import { expectSoundRefusal } from "./sound-refusal.js";
import { type GoodCall, openWorld, readsOf, renamesOf, writesOf } from "./world.js";

const requestsOf = (engine: AnyEngine): readonly GoodCall[] => [
  ...[...readsOf(engine), ...writesOf(engine)],
  ...renamesOf(),
];

describe.each<ProfileName>(["documented", "xata"])(
  `malformed requests, seed ${seed}, %s`,
  (profile) => {
    it("every unchanged call succeeds", async () => {
      const engine = await openWorld(profile);
      const saved = engine.snapshot();
      for (const { call, args } of requestsOf(engine)) {
        call(engine, ...structuredClone(args));
        engine.restore(saved);
      }
    });

    it("E-1, E-5: each is refused with code, path and rule and changes nothing, or succeeds", async () => {
      const engine = await openWorld(profile);
      const requests = requestsOf(engine);
      const before = digest(engine);
      const tally = { refused: 0, accepted: 0 };
      const property = fc.property(
        fc.nat(),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (index, changes) => {
          const request = requests[index % requests.length]!;
          const args = mutate(request.args, changes);
          if (isRefused(engine, request, args, before)) tally.refused++;
          else tally.accepted++;
        },
      );
      fc.assert(property, { seed, numRuns: Math.ceil(3000 * runs) });
      // Both outcomes must be frequent.
      expect(tally.refused).toBeGreaterThan(1200 * runs);
      expect(tally.accepted).toBeGreaterThan(120 * runs);
    });
  },
);

/** Makes a call; a refused call must change nothing. */
function isRefused(
  engine: AnyEngine,
  { name, call }: GoodCall,
  args: readonly unknown[],
  before: string,
): boolean {
  const saved = engine.snapshot();
  let result: unknown;
  try {
    result = call(engine, ...args);
  } catch (error) {
    expectSoundRefusal(name, error, args);
    expect(digest(engine), "a refused call changed something").toBe(before);
    return true;
  }
  if (name === "query") {
    // A cursor of an accepted query is accepted.
    const { cursor: start } = (result as { meta: { page: { cursor: string } } }).meta.page;
    const main = engine.workspace("acme").database("shop").branch("main");
    main.table("users").query({ page: { start } });
  }
  digest(engine);
  engine.restore(saved);
  expect(digest(engine), "a restore left a difference").toBe(before);
  return false;
}
