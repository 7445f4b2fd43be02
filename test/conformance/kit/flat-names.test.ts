import { describe, expect, it } from "vitest";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { createEngine } from "../../../src/index.js";
import { changeAnswers, changeRequests, createTarget, type Wrap } from "./wrap.js";

const vectors = loadVectors();

/** Changes the records of a page. */
const changeRecords = (change: (record: { xata_id: string }) => unknown): Wrap =>
  changeAnswers("/query", (body) => ({ ...body, records: body.records?.map(change) }));

const BUGS: Readonly<Record<string, Wrap>> = {
  "xata_updatedat is no time": changeRecords((record) => ({ ...record, xata_updatedat: 0 })),
  "a filter by xata_updatedat is ignored": changeRequests("/query", (body) => {
    const withoutTime = (key: string, value: unknown): unknown =>
      key === "xata_updatedat" && typeof value === "object" ? undefined : value;
    return JSON.parse(JSON.stringify(body, withoutTime));
  }),
  "records have id": changeRecords(({ xata_id: id, ...rest }) => ({ id, ...rest })),
  "a filter by xata_id is ignored": changeRequests("/query", ({ filter, ...body }) => {
    const { xata_id: _, ...others } = filter ?? {};
    return filter === undefined ? body : { ...body, filter: others };
  }),
};

describe("profile xata-next, whose names the kit translates", () => {
  // The whole kit: the slow checks of a server.
  it("R-1: every vector conforms, except one of an object of metadata", async () => {
    const engine = createEngine({ profile: "xata-next", seed: 1, now: 0 });
    const only = ["vector", "law:filters-equal-the-oracle"];
    const report = await runConformance({ engine }, { vectors, only, runs: 5 });
    expect(report.divergences).toEqual([]);
    expect(report.conforms).toBe(true);
    expect(report.profile.base).toBe("xata-next");
    const skipped = report.checks.filter(({ reason = "" }) => reason.startsWith("profile"));
    const reason = "profile xata-next has no object of metadata";
    expect(skipped.map(({ title, reason }) => [title, reason])).toEqual([
      ["a summary that is wrong is refused with its place, 3", reason],
    ]);
  });

  it.each(Object.entries(BUGS))("R-1, N-3: finds that %s", async (_, wrap) => {
    const target = createTarget(wrap, { profile: "xata-next" });
    const options = { vectors, only: ["R-1", "F"], runs: 5, failFast: true };
    const [divergence] = (await runConformance(target, options)).divergences;
    expect(divergence).toBeDefined();
    // A check has its own names, a command to repeat it those of the service.
    const { counterexample } = divergence!;
    if (counterexample.kind === "history") throw new Error("expected a vector");
    expect(JSON.stringify(counterexample.vector)).not.toContain("xata_");
    expect(counterexample.curl).toMatch(/"xata_id":/);
    expect(counterexample.curl).not.toMatch(/"id":/);
  });
});
