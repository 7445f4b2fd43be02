import pg from "pg";
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
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
