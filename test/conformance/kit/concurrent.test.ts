import { afterAll, describe, expect, it } from "vitest";
import { formatHtml } from "../../../src/conformance/report/html.js";
import { exitCode } from "../../../src/conformance/report/report.js";
import { formatText } from "../../../src/conformance/report/text.js";
import { type ConformanceOptions, runConformance } from "../../../src/conformance/runner/run.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { createEngine } from "../../../src/index.js";
import { CONCURRENT_BUGS, yieldTurn } from "./concurrent-bugs.js";
import { createTarget, type Wrap } from "./wrap.js";

const vectors = loadVectors();
const OPTIONS: ConformanceOptions = { vectors, concurrent: true, only: ["concurrent"] };

/** Delays each request and answer by a varying number of turns of the event loop. */
const delayed: Wrap = (next) => {
  let count = 0;
  return async (call) => {
    const turns = (count++ * 7) % 5;
    for (let i = 0; i < turns; i++) await yieldTurn();
    const reply = await next(call);
    for (let i = 0; i < 4 - turns; i++) await yieldTurn();
    return reply;
  };
};

describe("concurrent clients", () => {
  it.each(["documented", "xata"] as const)(
    "find no divergence of an engine under %s",
    async (profile) => {
      const engine = createEngine({ profile, seed: 1, now: 0 });
      const { checks } = await runConformance({ engine }, { ...OPTIONS, runs: 20 });
      expect(checks.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "passed"]);
    },
  );

  it("find no divergence of a service that answers late and out of order", async () => {
    const { divergences } = await runConformance(createTarget(delayed), { ...OPTIONS, runs: 20 });
    expect(divergences).toEqual([]);
  });

  it("do not run by default", async () => {
    const { concurrent: _, ...options } = OPTIONS;
    await expect(runConformance(createTarget(), options)).rejects.toThrow("concurrent");
  });

  it("treat 503 as an unknown outcome; too many leave a check undecided", async () => {
    const failing =
      (period: number): Wrap =>
      (next) => {
        let count = 0;
        return async (call) => {
          const reply = await next(call);
          if (!/\/(data|transaction)/.test(call.path) || count++ % period > 0) return reply;
          return { status: 503, body: { message: "busy" } };
        };
      };
    const seldom = await runConformance(createTarget(failing(6)), { ...OPTIONS, runs: 10 });
    expect(seldom.checks.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "passed"]);
    const always = await runConformance(createTarget(failing(1)), { ...OPTIONS, runs: 3 });
    expect(always.divergences).toEqual([]);
    expect(exitCode(always)).toBe(3);
  });

  it("return equal reports for equal seeds and orders of answers", async () => {
    const [bug] = CONCURRENT_BUGS;
    const report = async (): Promise<string> =>
      formatText(await runConformance(createTarget(bug?.wrap), { ...OPTIONS, failFast: true }));
    expect(await report()).toBe(await report());
  });
});

describe("bugs visible only to concurrent clients", { tags: ["slow"] }, () => {
  const table: object[] = [];
  afterAll(() => {
    console.table(table);
  });

  it.each(CONCURRENT_BUGS.map((bug) => [bug.rule, bug.name, bug] as const))(
    "%s: %s",
    async (rule, name, { check, wrap, says, most }) => {
      const began = performance.now();
      const report = await runConformance(createTarget(wrap), OPTIONS);
      const seconds = Math.round(performance.now() - began) / 1000;
      expect(report.divergences.map((divergence) => divergence.check)).toEqual([
        `concurrent:${check}`,
      ]);
      const [divergence] = report.divergences;
      expect(divergence?.message).toMatch(says);
      expect([divergence?.rules[0], divergence?.confirmed]).toEqual([rule, true]);
      if (divergence?.counterexample.kind !== "history") throw new Error("no history");
      const { history } = divergence.counterexample;
      expect(history.length / 2).toBeLessThanOrEqual(most);
      expect(formatText(report)).toContain(history.map((line) => `    ${line}`).join("\n"));
      expect(formatHtml(report)).toContain(`${history.length / 2} concurrent requests`);
      table.push({ bug: name, rule, check, requests: history.length / 2, seconds });
    },
  );

  it("are not visible to sequential requests", async () => {
    const only = ["X-1", "X-2", "X-3"];
    for (const { wrap, isSeenAlone } of CONCURRENT_BUGS) {
      if (isSeenAlone) continue;
      const { divergences } = await runConformance(createTarget(wrap), { vectors, only, runs: 3 });
      expect(divergences).toEqual([]);
    }
  });
});
