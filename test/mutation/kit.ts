// What scripts/mutate-kit.mjs runs for each mutant: the conformance kit alone, over `createFetch`.
import { type ConformanceOptions, runConformance } from "../../src/conformance/runner/run.js";
import type { Target } from "../../src/conformance/target/target.js";
import { loadVectors } from "../../src/conformance/vectors/load.js";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";

const vectors = loadVectors();

/** The cheap and broad ones first: what diverges ends the run. */
const RUNS: readonly [() => Target, ConformanceOptions][] = [
  [() => openEngine("documented"), { only: ["vector"] }],
  [() => openEngine("xata"), { only: ["vector"] }],
  [openClosed, { only: ["U", "A", "D-5"], runs: 40 }],
  [() => openEngine("documented"), { skip: ["vector"], runs: 4, concurrent: true }],
  [() => openEngine("xata"), { skip: ["vector"], runs: 4 }],
];

/** The check that tells the mutant from the engine; undefined where all of them pass. */
export async function judge(tell: (check: string) => void): Promise<string | undefined> {
  for (const [open, options] of RUNS) {
    const { divergences, undecided } = await runConformance(open(), {
      vectors,
      failFast: true,
      onCheck: ({ id }) => tell(id),
      ...options,
    });
    const [found] = [...divergences.map(({ check }) => check), ...undecided.map(({ id }) => id)];
    if (found !== undefined) return found;
  }
  return undefined;
}

function openEngine(profile: "documented" | "xata"): Target {
  // Under `xata` what indexes find is looked at from the first query on.
  const indexes = profile === "xata" ? "always" : "auto";
  return { engine: createEngine({ profile, indexes, seed: 1, now: 0 }) };
}

function openClosed(): Target {
  const engine = createEngine({ seed: 1, now: 0 });
  engine.createWorkspace("w");
  engine.createUser({ email: "k@example.org", fullname: "K", keys: ["key"], workspaces: ["w"] });
  engine.createUser({ email: "o@example.org", fullname: "O", keys: ["other key"] });
  const url = "https://w.us-east-1.test";
  const fetch = createFetch(engine, { workspace: "w", auth: "closed" });
  const base = { workspaceUrl: url, controlUrl: url, workspace: "w" };
  return { ...base, fetch, auth: "closed", apiKey: "key", otherApiKey: "other key" };
}
