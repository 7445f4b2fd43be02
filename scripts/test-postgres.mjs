// Runs the tests that need a PostgreSQL server; some write from several processes while these and the server
// are killed. Runs on sources and the built package.
// npm run test:postgres [-- [--url <address>] [--citus] [--seconds 60] [--kills 50] [--increments 10000]]
// Without an address it starts PostgreSQL 18, with --citus one with a stand-in for Citus. It does not kill a
// given server but ends its sessions, and prints the tests that it skips there.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    citus: { type: "boolean", default: false },
    seconds: { type: "string", default: "15" },
    kills: { type: "string", default: "12" },
    increments: { type: "string", default: "10000" },
  },
});
const env = {
  ...process.env,
  TWINBASE_POSTGRES_SECONDS: values.seconds,
  TWINBASE_POSTGRES_KILLS: values.kills,
  TWINBASE_POSTGRES_INCREMENTS: values.increments,
};
if (values.url !== undefined) env.TWINBASE_POSTGRES_URL = values.url;
if (values.citus) env.TWINBASE_CITUS = "1";
const { status } = spawnSync("npx", ["vitest", "run", "--config", "vitest.postgres.config.ts"], {
  stdio: "inherit",
  env,
});
process.exitCode = status ?? 1;
