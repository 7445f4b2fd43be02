import { describe, expect, it } from "vitest";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { createEngine } from "../../../src/index.js";

type Engine = ReturnType<typeof createEngine>;

/** An engine whose forks are changed before their first call. */
function engineWith(change: (copy: Engine) => void, profile: "documented" | "xata"): Engine {
  const engine = createEngine({ profile, seed: 1, now: 0 });
  const fork = engine.fork.bind(engine);
  engine.fork = () => {
    const copy = fork();
    change(copy);
    return copy;
  };
  return engine;
}

async function breachOf(engine: Engine, law: string): Promise<string | undefined> {
  const report = await runConformance({ engine }, { vectors: [], only: [`law:${law}`], seed: 1 });
  expect(report.checks.map(({ verdict }) => verdict)).not.toContain("undecided");
  const [divergence] = report.divergences;
  if (divergence === undefined) return undefined;
  expect(divergence.confirmed).toBe(true);
  const { counterexample, message } = divergence;
  if (counterexample.kind !== "vector") throw new Error("steps are expected");
  const { method, path, expect: wanted } = counterexample.vector.steps.at(-1)!;
  return `${message} (${method} ${path}: ${JSON.stringify(wanted)})`;
}

describe.each(["documented", "xata"] as const)(
  "the law of unnamed workspaces under %s",
  (profile) => {
    const law = "unnamed-workspaces-are-found";
    const breach = (change: (copy: Engine) => void) => breachOf(engineWith(change, profile), law);

    it("passes on an engine with other workspaces, which stay unchanged", async () => {
      const engine = createEngine({ profile, seed: 1, now: 0 });
      engine.createWorkspace("mine").createDatabase("shop");
      expect(await breachOf(engine, law)).toBeUndefined();
      expect(engine.workspace("mine").database("shop").name).toBe("shop");
    });

    it("D-5: detects that the first of several workspaces is used", async () => {
      const found = await breach((copy) => {
        const all = copy.workspaces.bind(copy);
        copy.workspaces = () => all().slice(0, 1);
      });
      expect(found).toMatch(/^the database is in 0 of 2 workspaces: .*workspace_not_found/);
    });

    it("D-6: detects that the only workspace is not used", async () => {
      const found = await breach((copy) => {
        const all = copy.workspaces.bind(copy);
        copy.workspaces = () => [...all(), ...all()];
      });
      expect(found).toMatch(/^the database is in [01] of one workspace: /);
    });

    it("D-6: detects that the only workspace with the database is not searched for", async () => {
      const found = await breach((copy) => {
        copy.hasDatabase = () => false;
      });
      expect(found).toMatch(/^the database is in 1 of 2 workspaces: .*"status":200/);
    });

    it("D-6: detects that one of two workspaces with the database is used", async () => {
      const found = await breach((copy) => {
        const has = copy.hasDatabase.bind(copy);
        copy.hasDatabase = (id: string, name: string) => id === "conformance" && has(id, name);
      });
      expect(found).toMatch(/^the database is in [12] of [23] workspaces: /);
    });
  },
);

describe("the law of equal copies", () => {
  it("S-4: detects copies that differ, and lists the requests to both", async () => {
    let copies = 0;
    const engine = engineWith((copy) => {
      if (copies++ % 2 === 1) copy.clock.advance(1000);
    }, "documented");
    expect(await breachOf(engine, "equal-seeds-give-equal-bytes")).toMatch(
      /^copies give equal answers: /,
    );
  });
});
