import { inject, it } from "vitest";
import { runs } from "../generated.js";
import { freshDatabase } from "./cluster.js";
import { requireConformance } from "./conforms.js";

it.each(["documented", "xata", "xata-next"] as const)(
  "PostgreSQL conforms under the profile %s",
  async (profile) => {
    const url = await freshDatabase(inject("postgresUrl"), `conforms_${profile.replace("-", "_")}`);
    const { checks } = await requireConformance(url, profile, {
      runs: Math.ceil(40 * runs),
    });
    const count = (verdict: string): number =>
      checks.filter((check) => check.verdict === verdict).length;
    process.stdout.write(`${profile}: ${count("passed")} passed, ${count("skipped")} skipped\n`);
  },
  // A given server may be slow; the timeout only ends a hang.
  3_600_000,
);
