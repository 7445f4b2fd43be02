import { defineConfig, type ViteUserConfig } from "vitest/config";

/** What needs a PostgreSQL server: one of its own, or the one that `--url` names. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/postgres/**/*.server.ts"],
    globalSetup: "test/postgres/start-server.ts",
    testTimeout: 480_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
export default config;
