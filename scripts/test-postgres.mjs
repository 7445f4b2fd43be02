// The tests that need a PostgreSQL server; without an address, one is started for them.
// npm run test:postgres [-- --url <address> [--citus]]
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { url: { type: "string" }, citus: { type: "boolean" } } });
const { status } = spawnSync("npx", ["vitest", "run", "--config", "vitest.postgres.config.ts"], {
  stdio: "inherit",
  env: {
    ...process.env,
    ...(values.url === undefined ? {} : { TWINBASE_POSTGRES_URL: values.url }),
    ...(values.citus ? { TWINBASE_CITUS: "1" } : {}),
  },
});
process.exitCode = status ?? 1;
