// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell variables are written so
import { describe, expect, it } from "vitest";
import { findDeviation, parseDeviations } from "../../../src/conformance/report/deviations.js";
import { formatHtml } from "../../../src/conformance/report/html.js";
import { formatJUnit } from "../../../src/conformance/report/junit.js";
import { exitCode } from "../../../src/conformance/report/report.js";
import { formatText } from "../../../src/conformance/report/text.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { runVector } from "../../../src/conformance/runner/run-vector.js";
import {
  ConformanceUsageError,
  type ServiceTarget,
} from "../../../src/conformance/target/target.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { createEngine } from "../../../src/index.js";
import { PLANTED_BUGS } from "./planted-bugs.js";
import { vectorCase } from "./vector-case.js";
import { type Call, createTarget, type Wrap } from "./wrap.js";

const vectors = loadVectors();

/** Laws that take seconds, or whose counterexamples take seconds to shrink. */
const LONG = [
  "law:features-equal-the-oracle",
  "law:many-records-match-as-in-a-loop",
  "law:many-records-are-ordered-as-in-a-loop",
  "law:large-tables-equal-the-oracle",
  "law:commands-follow-the-model",
];

function planted(name: string): Wrap {
  const bug = PLANTED_BUGS.find((each) => each.name === name);
  if (bug === undefined) throw new Error(`no bug ${name}`);
  return bug.wrap;
}

/** Counts created and deleted databases. */
function countingDatabases(counts: { made: number; gone: number }): Wrap {
  return (next) => async (call) => {
    const reply = await next(call);
    const isDatabase = /^\/workspaces\/[^/]+\/dbs\//.test(call.path) && reply.status < 300;
    if (isDatabase && call.method === "PUT") counts.made++;
    if (isDatabase && call.method === "DELETE") counts.gone++;
    return reply;
  };
}

describe("a run", () => {
  it("runs selected rules, sections and checks, and skips some", async () => {
    const run = async (only: string[], skip: string[] = []) =>
      (await runConformance(createTarget(), { vectors, only, skip, runs: 1 })).checks;
    const lists = await run(["F-15"], LONG);
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.every(({ rules }) => rules.includes("F-15"))).toBe(true);
    const mapping = await run(["B"], ["B-5", "law:searches-equal-the-oracle"]);
    expect(mapping.every(({ rules }) => !rules.includes("B-5"))).toBe(true);
    expect(mapping.map(({ id }) => id)).not.toContain("law:searches-equal-the-oracle");
    expect((await run(["law:filters-equal-the-oracle"])).map(({ id }) => id)).toEqual([
      "law:filters-equal-the-oracle",
    ]);
  });

  it("rejects selections that match nothing", async () => {
    const only = ["law:nothing"];
    await expect(runConformance(createTarget(), { vectors, only })).rejects.toThrow(
      ConformanceUsageError,
    );
    await expect(runConformance(createTarget(), { vectors, tiers: [] })).rejects.toThrow("tier");
  });

  it("runs only checks of its tiers", async () => {
    const options = { vectors, tiers: ["core" as const], only: ["G"], runs: 1 };
    const { checks, rules } = await runConformance(createTarget(), options);
    expect(new Set(checks.map(({ tier }) => tier))).toEqual(new Set(["core"]));
    expect(new Set(rules.map(({ tier }) => tier))).toEqual(new Set(["core"]));
  });

  it("gives the same report for the same seed, byte for byte", async () => {
    const report = async (seed: number): Promise<string> => {
      const target = createTarget(planted("null is least"));
      const only = ["vector:null-is-the-greatest-value", "law:random-walk"];
      const found = await runConformance(target, { vectors, only, seed, runs: 20 });
      expect(new Set(found.divergences.map(({ check }) => check))).toEqual(new Set(only));
      return JSON.stringify(found) + formatText(found) + formatJUnit(found) + formatHtml(found);
    };
    expect(await report(3)).toBe(await report(3));
  });

  it("confirms a divergence in a fresh database, and repeats it by seed and path", async () => {
    const target = createTarget(planted("$ge excludes the bound"));
    const only = ["law:filters-equal-the-oracle"];
    const [found] = (await runConformance(target, { vectors, only, seed: 9 })).divergences;
    expect(found?.path).toBeDefined();
    const again = { vectors, only, seed: found?.seed, path: found?.path, runs: 1 };
    const [same] = (await runConformance(target, again)).divergences;
    expect(same?.counterexample.fixture).toEqual(found?.counterexample.fixture);
    expect(same?.found).toEqual(found?.found);
    expect(found?.confirmed).toBe(true);
    const { fixture, vector } = vectorCase(found);
    expect(await runVector(target, fixture, vector)).toMatchObject({ found: found?.found });
    expect(await runVector(createTarget(), fixture, vector)).toBeUndefined();
  });

  it("reports a divergence that does not repeat as unconfirmed", async () => {
    let broken = true;
    const once: Wrap = (next) => async (call) => {
      const reply = await next(call);
      if (!broken || !call.path.endsWith("/query") || reply.body.records.length === 0) return reply;
      broken = false;
      return { ...reply, body: { ...reply.body, records: [] } };
    };
    const only = ["vector:a-plain-value-means-$is"];
    const { divergences } = await runConformance(createTarget(once), { vectors, only });
    expect(divergences).toMatchObject([{ confirmed: false }]);
  });

  it.each([
    ["before returns the first page", "law:random-walk", /\/meta\/page\/cursor/, /jq -r/],
    [
      "a damaged cursor is ignored",
      "law:damaged-cursors-are-refused",
      /\$\{damage:\d+:c1\}/,
      /^c1_\d+=\$\(damage \d+ "\$c1"\)$/m,
    ],
  ])(
    "prints counterexamples with cursors that can be sent again: %s",
    async (bug, law, step, line) => {
      const target = createTarget(planted(bug));
      const { divergences } = await runConformance(target, { vectors, only: [law], runs: 200 });
      const { fixture, vector, curl } = vectorCase(divergences[0]);
      expect(JSON.stringify(vector.steps)).toMatch(step);
      expect(curl).toMatch(line);
      expect(await runVector(target, fixture, vector)).toBeDefined();
      expect(await runVector(createTarget(), fixture, vector)).toBeUndefined();
    },
  );

  it("deletes every database it created", async () => {
    const counts = { made: 0, gone: 0 };
    await runConformance(createTarget(countingDatabases(counts)), {
      vectors,
      only: ["D", "B-2"],
      runs: 2,
    });
    expect(counts.made).toBeGreaterThan(10);
    expect(counts.gone).toBe(counts.made);
  });

  it("deletes every database also after an abort or an error", async () => {
    const counts = { made: 0, gone: 0 };
    const target = createTarget(countingDatabases(counts));
    const stop = new AbortController();
    const onResult = (): void => stop.abort();
    const only = ["vector:a-plain-value-means-$is", "law:filters-equal-the-oracle"];
    const report = await runConformance(target, { vectors, only, signal: stop.signal, onResult });
    expect(report.undecided.map(({ reason }) => reason)).toEqual(["the run was aborted"]);
    expect(counts).toEqual({ made: 1, gone: 1 });
    const failing = runConformance(target, {
      vectors,
      only,
      onResult() {
        throw new Error("the listener fails");
      },
    });
    await expect(failing).rejects.toThrow("the listener fails");
    expect(counts).toEqual({ made: 2, gone: 2 });
  });

  it("is undecided if the service does not answer", async () => {
    const fetch = (): Promise<Response> => Promise.reject(new Error("connection refused"));
    const target: ServiceTarget = { ...createTarget(), fetch };
    const report = await runConformance(target, { vectors, only: ["F-5"] });
    expect(report.conforms).toBe(false);
    expect(report.divergences).toEqual([]);
    expect(report.undecided[0]?.reason).toBe("connection refused");
    expect(exitCode(report)).toBe(3);
  });

  it("reports what it found if the service ends during the run", async () => {
    const { fetch, ...rest } = createTarget();
    let left = 20;
    const target: ServiceTarget = {
      ...rest,
      fetch: (url, init) =>
        (left-- > 0 ? fetch?.(url, init) : undefined) ?? Promise.reject(new Error("refused")),
    };
    const { checks } = await runConformance(target, { vectors, only: ["F-5", "D-1"] });
    const verdicts = new Set(checks.map(({ verdict }) => verdict));
    expect(verdicts).toEqual(new Set(["passed", "undecided"]));
  });

  it("one refused request leaves one check undecided", async () => {
    let left = 1;
    const once: Wrap = (next) => async (call) =>
      call.path.endsWith("/schema") && left-- > 0 ? { status: 500, body: {} } : next(call);
    const options = { vectors, only: ["F-5", "F-8"], skip: LONG, runs: 5 };
    const report = await runConformance(createTarget(once), options);
    expect(report.divergences).toEqual([]);
    expect(report.undecided).toHaveLength(1);
  });

  it("repeats a request after an answer 429, a few times", async () => {
    const limited = (every: number): Wrap => {
      let count = 0;
      return (next) => async (call) =>
        count++ % every === 0
          ? next(call)
          : { status: 429, headers: { "retry-after": "0" }, body: { message: "too many" } };
    };
    const run = (every: number) =>
      runConformance(createTarget(limited(every)), { vectors, only: ["F-5"], runs: 1 });
    expect((await run(3)).conforms).toBe(true);
    const { undecided } = await run(50);
    expect(undecided[0]?.reason).toBe(
      "answered 429 too often; send fewer requests a second (--rate)",
    );
  });

  it("waits less for a service that kept silent", async () => {
    const fetch = (): Promise<Response> => new Promise(() => {});
    const target: ServiceTarget = { ...createTarget(), fetch, timeout: 40 };
    const { undecided } = await runConformance(target, { vectors, only: ["F-5"] });
    expect(undecided[0]?.reason).toBe("no answer in 40 ms");
    expect(undecided.at(-1)?.reason).toMatch(/^no answer in [45] ms$/);
  });

  it("is undecided if the service accepts no records", async () => {
    const full: Wrap = (next) => async (call) =>
      call.path.endsWith("/bulk") ? { status: 422, body: { message: "full" } } : next(call);
    const only = ["law:filters-equal-the-oracle", "vector:a-plain-value-means-$is"];
    const report = await runConformance(createTarget(full), { vectors, only });
    expect(report.undecided.map(({ reason }) => reason?.replace(/tables\/\w+/, "…"))).toEqual([
      "POST …/…/bulk: answered 422: full",
      "POST …/…/bulk: answered 422: full",
    ]);
  });

  it("E-5: reports a request without an answer as a divergence", async () => {
    const { fetch, ...rest } = createTarget();
    const target: ServiceTarget = {
      ...rest,
      timeout: 400,
      fetch(url, init) {
        if (!url.endsWith("/query")) return fetch?.(url, init) ?? Promise.reject();
        return new Promise(() => {});
      },
    };
    const { divergences } = await runConformance(target, {
      vectors,
      only: ["law:filters-equal-the-oracle"],
      runs: 1,
    });
    expect(divergences[0]?.message).toMatch(/^no answer in \d+ ms$/);
  });

  it("limits its rate on request", async () => {
    const times: number[] = [];
    const note: Wrap = (next) => (call) => {
      times.push(Date.now());
      return next(call);
    };
    const target = { ...createTarget(note), requestsPerSecond: 50 };
    await runConformance(target, {
      vectors,
      only: ["vector:an-empty-filter-matches-every-record"],
    });
    expect(times.length).toBeGreaterThan(5);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual((times.length - 2) * 20);
  });

  it("refuses another machine without permission", async () => {
    const { fetch: _, ...target } = createTarget();
    await expect(runConformance(target, { vectors })).rejects.toThrow("another machine");
  });

  it("refuses an invalid address, and derives the control address from it", async () => {
    const { controlUrl: _, ...target } = createTarget();
    const { fetch: __, ...served } = { ...target, workspaceUrl: "127.0.0.1:4000" };
    await expect(runConformance(served, { vectors })).rejects.toThrow(
      /^expected an address such as http:.*found "127.0.0.1:4000"$/,
    );
    const only = ["vector:an-empty-filter-matches-every-record"];
    expect((await runConformance(target, { vectors, only })).conforms).toBe(true);
  });

  it("fills databases by a function of the target", async () => {
    const engine = createEngine({ seed: 1, now: 0 });
    const seeded: string[] = [];
    const report = await runConformance(
      {
        engine,
        seed({ database, tables }) {
          seeded.push(database);
          const branch = engine.workspace("conformance").database(database).branch("main");
          for (const { name, columns, records } of tables) {
            branch.createTable(name, columns).load(records);
          }
        },
      },
      { vectors, only: ["law:filters-equal-the-oracle", "law:existence-splits"], runs: 2 },
    );
    expect(report.conforms).toBe(true);
    expect(new Set(seeded).size).toBe(seeded.length);
    expect(seeded.every((name) => name.startsWith("conformance-"))).toBe(true);
  });

  it("leaves a check undecided if a function of the target fails", async () => {
    const seed = (): never => {
      throw new TypeError("no such file");
    };
    const engine = createEngine({ seed: 1, now: 0 });
    const report = await runConformance({ engine, seed }, { vectors, only: ["F-5"], runs: 1 });
    expect([report.conforms, report.divergences]).toEqual([false, []]);
    for (const { reason } of report.undecided) {
      expect(reason).toMatch(/^unexpected TypeError: no such file at /);
    }
  });
});

describe("known deviations", () => {
  const only = ["vector:null-is-the-greatest-value"];
  const deviation = { what: only[0] ?? "", reason: "bug 7", expires: "2030-01-01" };

  it("are allowed until they expire", async () => {
    const target = createTarget(planted("null is least"));
    const run = (today: string) =>
      runConformance(target, { vectors, only, deviations: [deviation], today });
    const before = await run("2029-12-31");
    expect(before.checks).toMatchObject([{ verdict: "known", reason: "bug 7" }]);
    expect([before.conforms, exitCode(before)]).toEqual([true, 0]);
    const after = await run("2030-01-01");
    expect([after.conforms, exitCode(after)]).toEqual([false, 1]);
  });

  it("are reported when they are obsolete", async () => {
    const options = { vectors, only, deviations: [deviation], today: "2029-01-01" };
    const report = await runConformance(createTarget(), options);
    expect(report.unexpectedPasses).toEqual([{ what: only[0], reason: "bug 7" }]);
    expect(formatText(report)).toContain("obsolete known deviations");
    const rule = { ...options, deviations: [{ ...deviation, what: "S-3" }] };
    const byRule = await runConformance(createTarget(), rule);
    expect(byRule.unexpectedPasses).toEqual([{ what: "S-3", reason: "bug 7" }]);
  });

  it("name a check or its main rule", () => {
    const check = { id: "law:x", rules: ["F-12", "F-8"] };
    const [first, second] = ["F-12", "F-8"].map((what) => ({ ...deviation, what }));
    expect(findDeviation([first as typeof deviation], check, "2020-01-01")).toBe(first);
    expect(findDeviation([second as typeof deviation], check, "2020-01-01")).toBeUndefined();
  });

  it.each([
    [{}],
    [[{ what: "F-1" }]],
    [[{ ...deviation, expires: "soon" }]],
    [[{ ...deviation, expires: "2030-13-01" }]],
    [[{ ...deviation, until: "x" }]],
    [[{ ...deviation, reason: "" }]],
  ])("are refused if malformed: %j", (given) => {
    expect(() => parseDeviations(given)).toThrow(ConformanceUsageError);
  });

  it("are parsed", () => {
    expect(parseDeviations([deviation])).toEqual([deviation]);
  });
});

describe("a report", () => {
  const run = (wrap: Wrap, only: string[]) =>
    runConformance(createTarget(wrap), { vectors, only, skip: LONG, runs: 2 });
  let ofNulls: ReturnType<typeof run> | undefined;
  const nullsFirst = () => (ofNulls ??= run(planted("null is least"), ["S-3"]));

  it("as JUnit XML counts failures and escapes text", async () => {
    const xml = formatJUnit(
      await run(planted("a backslash in a pattern escapes nothing"), ["F-11"]),
    );
    const count = (pattern: RegExp): number => [...xml.matchAll(pattern)].length;
    expect(count(/<testcase /g)).toBeGreaterThan(10);
    expect(count(/<failure /g)).toBeGreaterThan(0);
    expect(xml).toMatch(/<testsuite name="F filters" tests="\d+" failures="[1-9]/);
    expect(xml).toContain("&quot;$pattern&quot;");
    expect(xml.replaceAll(/<[^<>]*>/g, "")).not.toMatch(/[<>]/);
  });

  it("as text has a matrix, and each divergence as a vector, curl and TypeScript", async () => {
    const text = formatText(await nullsFirst());
    expect(text).toMatch(/^diverges\n/);
    expect(text).toMatch(/ {2}S {2}.*X3/);
    expect(text).toContain("as a vector:");
    expect(text).toContain('curl -sS -X PUT "$CONTROL_URL/workspaces/${WORKSPACE}/dbs/${DB}"');
    expect(text).toContain('import { runVector } from "twinbase/conformance"');
  });

  it("distinguishes uncovered from divergent rules", async () => {
    const report = await nullsFirst();
    const verdictOf = (id: string) => report.rules.find((rule) => rule.id === id)?.verdict;
    expect([verdictOf("S-3"), verdictOf("G-9")]).toEqual(["diverges", "uncovered"]);
    expect(report.coverage.covered).toBeLessThan(report.coverage.rules);
  });

  it("contains no database name and no time", async () => {
    const wrap: Wrap = (next) => async (call: Call) => {
      const reply = await next(call);
      return call.path.endsWith("/query") ? { status: 400, body: { message: call.path } } : reply;
    };
    const report = await run(wrap, ["F-5"]);
    expect(JSON.stringify(report)).not.toMatch(/conformance-[0-9a-f]{8}|createdAt/);
    expect(report.divergences[0]?.found).toContain("/db/counterexample:main");
  });
});
