import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProfileName } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { digest } from "./digest.js";
import { change, mutate } from "./junk.js";
import { expectSoundRefusal } from "./sound-refusal.js";
import { type GoodCall, openWorld, type World } from "./world.js";

describe.each<ProfileName>(["documented", "xata"])(
  `malformed requests, seed ${seed}, %s`,
  (profile) => {
    it("every unchanged call succeeds", () => {
      const world = openWorld(profile);
      const saved = world.engine.snapshot();
      for (const { call, args } of world.requests) {
        call(...(structuredClone(args) as never[]));
        world.engine.restore(saved);
      }
    });

    it("E-1, E-5: each is refused with code, path and rule and changes nothing, or succeeds", () => {
      const world = openWorld(profile);
      const before = digest(world.engine);
      const tally = { refused: 0, accepted: 0 };
      const property = fc.property(
        fc.nat(),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (index, changes) => {
          const request = world.requests[index % world.requests.length]!;
          const args = mutate(request.args, changes);
          if (isRefused(world, request, args, before)) tally.refused++;
          else tally.accepted++;
        },
      );
      fc.assert(property, { seed, numRuns: Math.ceil(2000 * runs) });
      // Both outcomes must be frequent.
      expect(tally.refused).toBeGreaterThan(800 * runs);
      expect(tally.accepted).toBeGreaterThan(80 * runs);
    });
  },
);

/** Makes a call; a refused call must change nothing. */
function isRefused(
  world: World,
  { name, call }: GoodCall,
  args: readonly unknown[],
  before: string,
): boolean {
  const saved = world.engine.snapshot();
  let result: unknown;
  try {
    result = call(...(args as never[]));
  } catch (error) {
    expectSoundRefusal(name, error, args);
    expect(digest(world.engine), "a refused call changed something").toBe(before);
    return true;
  }
  if (name === "query") {
    // A cursor of an accepted query is accepted.
    const { cursor } = (result as { meta: { page: { cursor: string } } }).meta.page;
    world.players.query({ page: { start: cursor } });
  }
  digest(world.engine);
  world.engine.restore(saved);
  expect(digest(world.engine), "a restore left a difference").toBe(before);
  return false;
}
