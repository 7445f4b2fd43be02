import postgres from "postgres";
import { inject, it } from "vitest";
import { requireConformance } from "./conforms.js";

/** Ten times the usual number of cases. */
const runs = 10 * Number(process.env.TWINBASE_CONFORMANCE_RUNS ?? 4);

it.each(["documented", "xata"] as const)(
  "PostgreSQL conforms under the profile %s",
  async (profile) => {
    const url = await freshDatabase(`conforms_${profile}`);
    const { checks } = await requireConformance(url, profile, runs);
    const count = (verdict: string): number =>
      checks.filter((check) => check.verdict === verdict).length;
    process.stdout.write(`${profile}: ${count("passed")} passed, ${count("skipped")} skipped\n`);
  },
);

async function freshDatabase(name: string): Promise<string> {
  const url = new URL(inject("postgresUrl"));
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  await sql.unsafe(`drop database if exists ${name}`);
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  url.pathname = `/${name}`;
  return url.href;
}
