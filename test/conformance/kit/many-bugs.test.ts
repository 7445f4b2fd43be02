/** @module-tag slow */
import { beforeAll, describe, expect, it } from "vitest";
import type { ConformanceReport } from "../../../src/conformance/report/report.js";
import { formatText } from "../../../src/conformance/report/text.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { PLANTED_BUGS } from "./planted-bugs.js";
import { createTarget, type Reply, type Wrap } from "./wrap.js";

/** Planted bugs that it combines. */
const WRONG = [
  "$any over an object requires all of its keys",
  "a backslash in a pattern escapes nothing",
  "a damaged cursor is ignored",
  "start takes precedence over other cursors",
  "the second key is ignored",
];

const ROUTES =
  /^\/(?:user|workspaces\/\w+\/dbs\/[^/]+|dbs\/[^/]+\/gitBranches|db\/[^/]+:main\/tables\/[^/]+(?:\/(?:query|bulk|columns|schema))?)$/;

/** Has few routes, its own error format, and only the version in the metadata of records. */
const plain: Wrap = (next) => async (call) => {
  const missing: Reply = { status: 404, body: { error: "no such route" } };
  const { status, body } = ROUTES.test(call.path) ? await next(call) : missing;
  if (status >= 400) return { status, body: { error: "refused" } };
  for (const { service } of body?.records ?? []) {
    delete service?.createdAt;
    delete service?.updatedAt;
  }
  return { status, body };
};

describe("a service with few routes and several bugs", () => {
  let report: ConformanceReport;

  beforeAll(async () => {
    const wraps = PLANTED_BUGS.filter(({ name }) => WRONG.includes(name)).map(({ wrap }) => wrap);
    expect(wraps).toHaveLength(WRONG.length);
    const target = createTarget((next) => plain(wraps.reduce((inner, wrap) => wrap(inner), next)));
    report = await runConformance(target, { tiers: ["core"], runs: 12 });
  });

  it("diverges in the checks of its bugs", () => {
    expect(report.conforms).toBe(false);
    expect(report.undecided).toEqual([]);
    expect(report.divergences.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        "vector:$any-over-the-keys-of-an-object",
        "vector:the-keys-of-an-array-apply-in-turn",
        "vector:a-backslash-makes-a-wildcard-plain",
        "law:damaged-cursors-are-refused",
        "vector:start-or-end-beside-another-cursor-fails",
      ]),
    );
  });

  it("passes the other checks", () => {
    const passed = report.checks.filter(({ verdict }) => verdict === "passed").map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining([
        "law:pages-join-forward",
        "vector:adding-again-overwrites-with-a-warning",
        "vector:a-range-whose-cursors-come-in-the-wrong-order-fails",
        "vector:$any-over-an-array",
        "vector:$contains-finds-a-part",
        "vector:removing-an-unknown-mapping-is-404",
        "vector:a-table-that-exists-is-not-made-again",
        "vector:link-sub-gives-that-column-of-the-linked-record",
      ]),
    );
  });

  it("gets short counterexamples", () => {
    expect(formatText(report)).toMatch(/^diverges\n/);
    for (const { check, counterexample } of report.divergences) {
      if (!check.startsWith("law:")) continue;
      const records = counterexample.fixture.tables.flatMap((table) => table.records);
      expect(records.length, check).toBeLessThanOrEqual(4);
    }
  });
});
