import { afterEach, describe, expect, it, vi } from "vitest";
import { LAWS } from "../../../src/conformance/laws/all.js";
import { exitCode } from "../../../src/conformance/report/report.js";
import { formatText } from "../../../src/conformance/report/text.js";
import { type Check, lawChecks, vectorChecks } from "../../../src/conformance/runner/checks.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { selectChecks } from "../../../src/conformance/runner/select.js";
import { createTimeShares } from "../../../src/conformance/runner/time.js";
import type { ServiceTarget } from "../../../src/conformance/target/target.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { runs } from "../../generated.js";
import { PLANTED_BUGS } from "./planted-bugs.js";
import { createTarget } from "./wrap.js";

const vectors = loadVectors();

describe("the order of checks", () => {
  const checks = selectChecks([...vectorChecks(vectors), ...lawChecks(LAWS)], {});
  const place = (fits: (check: Check) => boolean): number => checks.findIndex(fits);

  it("begins with what sends few requests for each of its rules", () => {
    expect(checks[0]).toMatchObject({ kind: "vector", requests: 1 });
    const broad = place(({ id }) => id === "law:queries-equal-the-oracle");
    const narrow = place(({ id }) => id === "law:damaged-cursors-are-refused");
    expect(broad).toBeLessThan(narrow);
    expect(place(({ kind }) => kind === "law")).toBeGreaterThan(vectors.length);
  });
});

describe("a run that ends at the first divergence", () => {
  const wrap = PLANTED_BUGS.find(({ name }) => name === "nulls first")?.wrap;

  it("says what was not tried, in one line", async () => {
    const tried: string[] = [];
    const report = await runConformance(createTarget(wrap), {
      vectors,
      failFast: true,
      onCheck: ({ id }) => tried.push(id),
    });
    expect(report.divergences).toHaveLength(1);
    expect([report.conforms, exitCode(report)]).toEqual([false, 1]);
    expect(tried).toEqual(report.checks.map(({ id }) => id));
    const diverged = report.checks.findIndex(({ verdict }) => verdict === "diverged");
    const later = report.checks.slice(diverged + 1).map(({ verdict }) => verdict);
    expect(new Set(later)).toEqual(new Set(["undecided", "skipped"]));
    expect(formatText(report)).toMatch(/^ {2}\d{3} checks: not tried after the first divergence$/m);
  });

  it("goes on after a known deviation", async () => {
    const options = { vectors, only: ["S-3"], runs: 2 };
    const { divergences } = await runConformance(createTarget(wrap), options);
    const [first, second] = divergences.map(({ check }) => check);
    const deviations = [{ what: first ?? "", reason: "known", expires: "9999-01-01" }];
    const again = { ...options, deviations, failFast: true };
    const report = await runConformance(createTarget(wrap), again);
    expect(report.divergences.map(({ check }) => check)).toEqual([second]);
  });
});

describe("the time of a run", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ["all of it", 1, 1000],
    ["half of it", 0.5, 500],
    ["more than it", 1.1, 1000],
  ])("is shared out among checks that take %s each", (_, taken, least) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const began = Date.now();
    const share = createTimeShares(1000);
    for (let parts = 10; parts > 0; parts--) {
      const limits = share(parts);
      if (limits === undefined) break;
      expect(limits.shrinkLimit).toBeGreaterThanOrEqual(limits.timeLimit);
      expect(Date.now() - began + limits.shrinkLimit).toBeLessThanOrEqual(1000);
      vi.setSystemTime(Date.now() + limits.timeLimit * taken);
    }
    expect(Date.now() - began).toBeGreaterThanOrEqual(least);
    expect(Date.now() - began).toBeLessThanOrEqual(1100);
  });

  it("leaves undecided what it does not reach", async () => {
    const only = ["law:de-morgan", "vector:a-plain-value-means-$is"];
    const report = await runConformance(createTarget(), { vectors, only, time: 0 });
    expect(report.undecided.map(({ reason }) => reason)).toEqual([
      "no time was left",
      "no time was left",
    ]);
    expect(exitCode(report)).toBe(3);
  });

  it("ends with no request under way and no database left", async () => {
    const { fetch, ...rest } = createTarget();
    const [underway, databases] = [new Set<string>(), new Set<string>()];
    const slow: ServiceTarget = {
      ...rest,
      async fetch(url, init) {
        underway.add(url);
        await new Promise((resolve) => setTimeout(resolve, 5));
        const response = await (fetch ?? globalThis.fetch)(url, init);
        if (url.includes("/dbs/") && init.method === "PUT") databases.add(url);
        if (url.includes("/dbs/") && init.method === "DELETE") databases.delete(url);
        underway.delete(url);
        return response;
      },
    };
    const only = ["law:de-morgan", "law:ranges-split"];
    await runConformance(slow, { vectors, only, time: 250 });
    expect([underway, databases]).toEqual([new Set(), new Set()]);
  });
});

describe("the first divergence of a planted bug", () => {
  const MOST_REQUESTS = 1000;

  it("is found within 1000 requests for half of them", {
    tags: ["slow"],
    timeout: 900_000,
  }, async () => {
    const some = PLANTED_BUGS.filter((_, i) => i % Math.ceil(2 / runs) === 0);
    let found = 0;
    for (const { wrap, engineProfile } of some) {
      const { fetch, ...rest } = createTarget(wrap, engineProfile ? { engineProfile } : {});
      const stop = new AbortController();
      let requests = 0;
      const counted: ServiceTarget = {
        ...rest,
        fetch(url, init) {
          if (++requests > MOST_REQUESTS) stop.abort();
          return (fetch ?? globalThis.fetch)(url, init);
        },
      };
      const options = { vectors, failFast: true, signal: stop.signal };
      const { divergences } = await runConformance(counted, options);
      found += divergences.length;
    }
    expect(found).toBeGreaterThanOrEqual(some.length / 2);
  });
});
