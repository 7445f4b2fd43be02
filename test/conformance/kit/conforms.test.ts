import { afterAll, describe, expect, it } from "vitest";
import { divergenceLines } from "../../../src/conformance/report/text.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { conformanceSuite } from "../../../src/conformance/runner/suite.js";
import type { ServiceTarget, Target } from "../../../src/conformance/target/target.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { createFetch, type HandlerOptions } from "../../../src/http.js";
import { createEngine, type EngineOptions } from "../../../src/index.js";
import { serve } from "../../../src/node.js";
import type { ProfileOption } from "../../../src/profile.js";
import { seed, runs as times } from "../../generated.js";

const vectors = loadVectors();
const runs = Math.ceil(2 * times);

const PROFILES: readonly ProfileOption[] = ["documented", "xata"];
const ALL: readonly ProfileOption[] = [...PROFILES, "xata-next"];

/** Checks of thousands of records or megabytes: not before a commit. */
const LARGE = [
  "vector:an-answer-above-256-MiB-is-refused",
  "law:large-tables-equal-the-oracle",
  "law:many-records-match-as-in-a-loop",
  "law:many-records-are-ordered-as-in-a-loop",
  "law:many-words-are-those-of-a-loop",
];
const skip = times < 1 ? LARGE : [];

/** Runs the whole kit and requires no divergence. */
async function requireConformance(
  target: Target,
  options: { readonly concurrent?: boolean; readonly skip?: readonly string[] } = {},
): Promise<void> {
  const report = await runConformance(target, { vectors, runs, seed, ...options });
  const shown = report.divergences.map((divergence) => divergenceLines(divergence).join("\n"));
  expect(shown.join("\n\n")).toBe("");
  expect(report.undecided).toEqual([]);
  expect(report.checks.filter(({ verdict }) => verdict === "passed").length).toBeGreaterThan(500);
}

function createService(
  profile: ProfileOption,
  options: HandlerOptions = {},
): { target: ServiceTarget; engine: ReturnType<typeof createEngine> } {
  const engine = createEngine({ profile, seed: 1, now: 0 });
  engine.createWorkspace("w");
  const fetch = createFetch(engine, { workspace: "w", ...options });
  const url = "https://w.us-east-1.test";
  const base = { workspaceUrl: url, controlUrl: url, workspace: "w" };
  const capabilities = { hosts: true };
  return { engine, target: { ...base, profile, fetch, auth: "open", capabilities } };
}

describe("conformance of the engine", () => {
  it.each(PROFILES)("under %j", (profile) => {
    const target = { engine: createEngine({ profile, seed: 1, now: 0 }) };
    return requireConformance(target, { skip });
  });

  it.each<EngineOptions>([
    { profile: { base: "documented", nullComparison: "sql" }, indexes: "always" },
    { profile: { base: "xata", nullComparison: "complement" }, indexes: "never" },
  ])("with %j", async (options) => {
    const engine = createEngine({ seed: 1, now: 0, ...options });
    const report = await runConformance({ engine }, { vectors, only: ["F", "S", "G"], skip, runs });
    expect(report.divergences).toEqual([]);
    expect(report.conforms).toBe(true);
  });
});

describe("conformance of createFetch", () => {
  it("U-1: in closed mode", async () => {
    const { engine, target } = createService("documented", { auth: "closed" });
    const user = { email: "k@example.org", fullname: "K", keys: ["key"], workspaces: ["w"] };
    engine.createUser(user);
    engine.createUser({ email: "o@example.org", fullname: "O", keys: ["other"] });
    const keys = { apiKey: "key", otherApiKey: "other" };
    const closed: ServiceTarget = { ...target, auth: "closed", ...keys };
    const only = ["U", "A", "D-5", "B-2", "H-4"];
    const report = await runConformance(closed, { vectors, only, runs: Math.ceil(60 * times) });
    expect(report.divergences).toEqual([]);
    const passed = report.checks.filter(({ verdict }) => verdict === "passed");
    expect(passed.map(({ title }) => title)).toContain(
      "with keys a missing or unknown one is refused",
    );
  });
});

describe("conformance of a service that is given by its address alone", () => {
  it.each(PROFILES)("H-4: under %j, where no key is known", async (profile) => {
    const { auth: _, ...target } = createService(profile).target;
    const report = await runConformance(target, { vectors, only: ["H", "U"], runs: 25 });
    expect(report.divergences).toEqual([]);
    expect(report.conforms).toBe(true);
  });
});

describe("conformance of createFetch, as a suite", { tags: ["slow"] }, () => {
  const { target } = createService("documented");
  conformanceSuite(target, { vectors, runs, seed, framework: { describe, it, afterAll } });
});

describe("conformance of a server", { tags: ["slow"] }, () => {
  it.each(ALL)("under %j", async (profile) => {
    const engine = createEngine({ profile, seed: 1, now: 0 });
    engine.createWorkspace("w");
    const server = await serve(engine, { workspace: "w" });
    try {
      const base = { workspaceUrl: server.url, controlUrl: server.url, workspace: "w" };
      const capabilities = { user: true, large: false };
      await requireConformance(
        { ...base, profile, auth: "open", capabilities },
        { concurrent: true },
      );
    } finally {
      await server.close();
    }
  });
});

describe("a suite", () => {
  it("throws without a framework", () => {
    const { target } = createService("documented");
    expect(() => conformanceSuite(target)).toThrow("as `framework`");
  });

  it("declares a test for each rule, which fails if a check of it fails", async () => {
    const { target } = createService({ base: "documented", maxPageSize: 100 });
    const tests = new Map<string, () => Promise<void>>();
    const ends: (() => Promise<void>)[] = [];
    conformanceSuite(
      { ...target, profile: "documented" },
      {
        vectors,
        only: ["L-1", "G-1"],
        runs: 1,
        framework: {
          describe: (_, declare) => declare(),
          it: (name, run) => tests.set(name, run),
          afterAll: (run) => ends.push(run),
        },
      },
    );
    expect([...tests.keys()].map((name) => name.split(":")[0])).toEqual(
      expect.arrayContaining(["G-1", "L-1"]),
    );
    const title = [...tests.keys()].find((name) => name.startsWith("L-1: ")) ?? "";
    await expect(tests.get(title)?.()).rejects.toThrow(
      /DIVERGES {2}vector:page-size-and-offset-are-bounded/,
    );
    for (const end of ends) await end();
  });
});
