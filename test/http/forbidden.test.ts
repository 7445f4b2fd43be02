import { expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import type { ProfileName } from "../../src/index.js";
import { createFixture } from "./fixture.js";
import { findUnrefused } from "./forbidden.js";
import { prepareForBodies } from "./good-bodies.js";

async function requireRefused(profile: ProfileName): Promise<void> {
  const engine = createFixture(profile);
  await prepareForBodies(engine);
  const { asked, unrefused } = await findUnrefused(createFetch(engine), engine.profile, () => {
    const saved = engine.snapshot();
    return () => engine.restore(saved);
  });
  expect(unrefused).toEqual([]);
  expect(asked).toBeGreaterThan(400);
}

const TITLE = "E-1: a value that the schema of a body forbids is refused with its path, under";

it(`${TITLE} documented`, () => requireRefused("documented"));

it(`${TITLE} xata`, { tags: ["slow"] }, () => requireRefused("xata"));
