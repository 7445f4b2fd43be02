/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConformanceReport } from "../../../src/conformance/report/report.js";
import { formatText } from "../../../src/conformance/report/text.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { startThirdParty } from "./third-party.js";

describe("a service written from the description alone", () => {
  let report: ConformanceReport;
  let close: () => Promise<void>;
  const diverging = (): string[] => report.divergences.map(({ check }) => check);

  beforeAll(async () => {
    const service = await startThirdParty();
    close = service.close;
    const capabilities = { user: true };
    const target = { ...service.target, capabilities };
    report = await runConformance(target, { tiers: ["core"], runs: 12 });
  }, 240_000);
  afterAll(() => close());

  it("is checked only against the core tier", () => {
    expect(new Set(report.checks.map(({ tier }) => tier))).toEqual(new Set(["core"]));
    expect(report.undecided).toEqual([]);
  });

  it("diverges where it is wrong", () => {
    expect(report.conforms).toBe(false);
    const found = diverging();
    // An object of $any wants all its keys; sub-columns are not selected; escapes are escaped twice.
    expect(found).toContain("vector:$any-over-the-keys-of-an-object");
    expect(found).toContain("vector:a-dotted-name-selects-a-part-of-an-object");
    expect(found).toContain("vector:a-backslash-makes-a-wildcard-plain");
    // Pages are positions without a seal.
    expect(found).toContain("law:damaged-cursors-are-refused");
    expect(found).toContain("vector:start-or-end-beside-another-cursor-fails");
  });

  it("is not blamed where it is right", () => {
    const passed = report.checks.filter(({ verdict }) => verdict === "passed").map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining([
        "law:pages-join-forward",
        "law:none-is-not-any",
        "vector:adding-again-overwrites-with-a-warning",
        "law:ranges-split",
        "vector:$any-over-an-array",
        "vector:$contains-finds-a-part",
        "vector:removing-an-unknown-mapping-is-404",
        "vector:a-table-that-exists-is-not-made-again",
        "vector:link-sub-gives-that-column-of-the-linked-record",
      ]),
    );
  });

  it("gets short reports of divergences", () => {
    const text = formatText(report);
    expect(text).toMatch(/^diverges\n/);
    for (const { check, counterexample } of report.divergences) {
      if (!check.startsWith("law:")) continue;
      const records = counterexample.fixture.tables.flatMap((table) => table.records);
      expect(records.length, check).toBeLessThanOrEqual(4);
    }
  });
});
