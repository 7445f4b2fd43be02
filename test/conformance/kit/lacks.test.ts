import { describe, expect, it } from "vitest";
import { formatHtml } from "../../../src/conformance/report/html.js";
import { formatMarkdown } from "../../../src/conformance/report/summary.js";
import { formatText } from "../../../src/conformance/report/text.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { conformanceSuite, type TestFramework } from "../../../src/conformance/runner/suite.js";
import { holds } from "./pair-bugs.js";
import { type Call, createTarget, type Reply, type Wrap } from "./wrap.js";

const refuse = (status: number, message: string): Reply => ({ status, body: { message } });

/** Lacks a type, an operator, a kind of page and two operations. */
const poor: Wrap = (next) => async (call) => {
  const { path, body } = call;
  const isQuery = path.endsWith("/query");
  if (isQuery && holds(body, "$iContains")) return refuse(400, "unknown operator $iContains");
  if (isQuery && body?.page?.end !== undefined) return refuse(400, "page.end is not supported");
  if (path.endsWith("/summarize")) return refuse(404, "no such route");
  if (path.endsWith("/aggregate")) return refuse(501, "not implemented");
  const isSchema = /\/(schema|columns)/.test(path);
  if (isSchema && JSON.stringify(body ?? null).includes('"type":"email"')) {
    return refuse(422, "unknown column type email");
  }
  return next(call);
};

const LACKS = [
  ["T-6", "type email"],
  ["F-10", "operator $iContains"],
  ["G-6", "page last"],
  ["X-6", "operation summarize"],
  ["X-6", "operation aggregate"],
] as const;

/** The wrapper of the tests gives files no address to read. */
const skip = ["law:damaged-addresses-lead-nowhere"];

describe("a service without five features", () => {
  it("conforms without them, and the report names them", { tags: ["slow"] }, async () => {
    const report = await runConformance(createTarget(poor), { skip });
    expect(report.missing).toEqual(LACKS.map(([rule, feature]) => ({ feature, rule })));
    expect(report.divergences).toEqual([]);
    expect(report.undecided).toEqual([]);
    expect(report.conforms).toBe(true);
    expect(report.features.length).toBeGreaterThan(1500);
    expect(report.features.some((each) => /email|\$iContains|page last/.test(each))).toBe(false);
    const count = report.checks.filter(({ verdict }) => verdict === "passed").length;
    expect(count).toBeGreaterThan(700);
    const laws = report.checks.filter(
      ({ kind, reason = "" }) => kind === "law" && /not supp/.test(reason),
    );
    expect(laws.length).toBeLessThan(8);
    for (const [, feature] of LACKS) {
      for (const format of [formatText, formatHtml, formatMarkdown]) {
        expect(format(report)).toContain(feature);
      }
    }
  });

  it("diverges if they are required", async () => {
    const options = { only: ["law:features-equal-the-oracle"], runs: 1, require: true };
    const { divergences, causes } = await runConformance(createTarget(poor), options);
    expect(divergences.map(({ check, rules }) => [rules[0], check])).toEqual(
      LACKS.map(([rule, feature]) => [rule, `feature:${feature}`]),
    );
    expect(causes).toHaveLength(5);
    expect(divergences.map(({ found }) => String(found).split(":")[0])).toEqual([
      "422",
      "400",
      "400",
      "404",
      "501",
    ]);
  });

  const isQuery = ({ path }: Call): boolean => path.endsWith("/query");
  let asked = 0;
  it.each<readonly [string, (call: Call) => boolean, Reply, readonly string[], boolean]>([
    [
      "501 to an operator",
      (call) => isQuery(call) && holds(call.body?.filter, "$gt"),
      refuse(501, ""),
      ["operator $gt"],
      true,
    ],
    [
      "404 to every order",
      (call) => isQuery(call) && call.body?.sort !== undefined,
      refuse(404, "no order"),
      ["order asc", "order desc", "order random"],
      true,
    ],
    [
      "404 once",
      (call) => isQuery(call) && holds(call.body?.sort, "*") && asked++ === 0,
      refuse(404, "not found"),
      [],
      true,
    ],
    ["404 to every query", isQuery, refuse(404, "no such route"), [], false],
    [
      "an error with a word that contains a name",
      (call) => isQuery(call) && call.body?.page?.after !== undefined,
      refuse(400, "see page.afterwards"),
      [],
      false,
    ],
    [
      "429 to an operator",
      (call) => isQuery(call) && holds(call.body?.filter, "$gt") && asked++ % 2 === 0,
      { ...refuse(429, "too many requests of $gt"), headers: { "retry-after": "0" } },
      [],
      true,
    ],
  ])("answers %s", async (_, isRefused, reply, features, conforms) => {
    asked = 0;
    const refusing: Wrap = (next) => async (call) => (isRefused(call) ? reply : next(call));
    const options = { only: ["law:features-equal-the-oracle"], runs: 1, tiers: ["core"] } as const;
    const report = await runConformance(createTarget(refusing), options);
    expect(report.missing.map(({ feature }) => feature)).toEqual(features);
    expect(report.conforms).toBe(conforms);
  });

  it("a vector that fails for another reason still diverges", async () => {
    const wrong: Wrap = (next) => async (call) =>
      call.path.endsWith("/query") && holds(call.body, "$endsWith")
        ? refuse(500, "internal error of $endsWith")
        : next(call);
    const options = { only: ["vector:$endsWith-finds-an-end"] };
    const { divergences, missing } = await runConformance(createTarget(wrong), options);
    expect([divergences.length, missing]).toEqual([1, []]);
  });

  it("a target with every feature lacks none", async () => {
    for (const profile of ["documented", "xata"] as const) {
      const options = { only: ["law:features-equal-the-oracle"], runs: 1, require: true };
      const report = await runConformance(createTarget(undefined, { profile }), options);
      expect([report.missing, report.divergences]).toEqual([[], []]);
    }
  });

  it("passes a suite without them, and fails one test of a suite that requires them", async () => {
    for (const require of [false, true]) {
      const tests: (() => Promise<void>)[] = [];
      const framework: TestFramework = {
        describe: (_, declare) => declare(),
        it: (_, run) => tests.push(run),
        afterAll: () => {},
      };
      const only = ["vector:$iContains-ignores-case", "law:groups-are-those-of-a-loop"];
      conformanceSuite(createTarget(poor), { only, runs: 2, require, framework });
      const failed: string[] = [];
      for (const run of tests) await run().catch(({ message }) => failed.push(message));
      expect(failed).toHaveLength(Number(require));
      for (const [, feature] of require ? LACKS : []) {
        expect(failed[0]).toContain(`${feature} is not supported`);
      }
    }
  });
});
