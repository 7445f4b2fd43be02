import { inject, it } from "vitest";
import { freshDatabase } from "./cluster.js";
import { requireConformance } from "./conforms.js";

/** Ten times the usual number of cases. */
const runs = 10 * Number(process.env.TWINBASE_CONFORMANCE_RUNS ?? 4);

it.each(["documented", "xata"] as const)(
  "PostgreSQL conforms under the profile %s",
  async (profile) => {
    const url = await freshDatabase(inject("postgresUrl"), `conforms_${profile}`);
    const { checks } = await requireConformance(url, profile, runs);
    const count = (verdict: string): number =>
      checks.filter((check) => check.verdict === verdict).length;
    process.stdout.write(`${profile}: ${count("passed")} passed, ${count("skipped")} skipped\n`);
  },
);
