import { expect } from "vitest";
import type { ConformanceReport } from "../../src/conformance/report/report.js";
import { divergenceLines } from "../../src/conformance/report/text.js";
import { runConformance } from "../../src/conformance/runner/run.js";
import type { Target } from "../../src/conformance/target/target.js";
import { loadVectors } from "../../src/conformance/vectors/load.js";
import { openPostgres, type PostgresTarget } from "../../src/postgres.js";
import type { ProfileName } from "../../src/profile.js";
import { seed } from "../generated.js";

const WORKSPACE = "conformance";

/** Reasons to skip a check that is meant for other services. */
const REASONS =
  /^(?:for profile \w+|for null comparison \w+|for closed services|for branches that copy \w+|for \w+ links|profile xata-next has no object of metadata|needs .*(?:large|otherUser))$/;

/** Milliseconds for a law that needs more than its usual time. */
const MOST_MS = 120_000;

/** Laws of thousands of records, which no profile names otherwise than small tables. */
export const LARGE: readonly string[] = [
  "law:large-tables-equal-the-oracle",
  "law:many-records-match-as-in-a-loop",
  "law:many-records-are-ordered-as-in-a-loop",
  "law:many-words-are-those-of-a-loop",
];

/** Runs the whole kit, without the checks of `skip`, against a database and requires no divergence. */
export async function requireConformance(
  target: PostgresTarget,
  profile: ProfileName,
  { runs, skip = [] }: { readonly runs: number; readonly skip?: readonly string[] },
): Promise<ConformanceReport> {
  await using db = await openPostgres(target, { profile, seed: 1, workspaces: [WORKSPACE] });
  const service: Target = {
    workspaceUrl: "http://localhost",
    controlUrl: "http://localhost",
    workspace: WORKSPACE,
    profile,
    auth: "open",
    capabilities: { large: false, hosts: true },
    fetch: (url, init) => db.fetch(url, init),
  };
  const vectors = loadVectors();
  const report = await runConformance(service, { vectors, runs, seed, skip });
  requireNone(report.divergences);
  // A case with thousands of records can exceed the time of a law.
  const only = report.undecided.map(({ id }) => id);
  if (only.length > 0) {
    const time = MOST_MS * only.length;
    const { divergences, undecided } = await runConformance(service, { vectors, only, time, seed });
    requireNone(divergences);
    expect(undecided).toEqual([]);
  }
  const skipped = report.checks.filter(({ verdict }) => verdict === "skipped");
  expect(
    skipped.filter(({ reason = "" }) => !reason.split("; ").every((each) => REASONS.test(each))),
  ).toEqual([]);
  expect(report.checks.filter(({ verdict }) => verdict === "passed").length).toBeGreaterThan(600);
  return report;
}

function requireNone(divergences: ConformanceReport["divergences"]): void {
  const shown = divergences.map((divergence) => divergenceLines(divergence).join("\n"));
  expect(shown.join("\n\n")).toBe("");
}
