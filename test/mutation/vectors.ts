// The vectors as tests, by rule: they ask over HTTP what tests of the rules do not ask again.
import { afterAll, describe, it } from "vitest";
import { conformanceSuite } from "../../src/conformance/runner/suite.js";
import { createEngine } from "../../src/index.js";

const framework = { describe, it, afterAll };
const skip = ["vector:an-answer-above-256-MiB-is-refused"];

describe.each(["documented", "xata"] as const)("under %s", (profile) => {
  const engine = createEngine({ profile, seed: 1, now: 0 });
  conformanceSuite({ engine }, { only: ["vector"], skip, framework });
});
