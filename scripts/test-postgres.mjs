// The tests that need a PostgreSQL server, and what only a server can show: nothing is lost while
// several processes write, and they and it are killed. Runs the built package beside the sources.
// npm run test:postgres [-- [--url <address>] [--citus] [--seconds 60] [--kills 50] [--increments 10000]]
// Without an address PostgreSQL 18 is started, with --citus one that has a stand-in for Citus. A server
// that is given is not stopped: all sessions are ended in its place. What needs more is not run there,
// and says so.
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
