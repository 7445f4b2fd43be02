import { defineConfig, type ViteUserConfig } from "vitest/config";

/**
 * The tests that Stryker runs again for each mutant: the quick ones of `test/mutation/all.ts`, which
 * the build command of stryker.config.json makes one file of, as each run loads all of it afresh.
 */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/conformance/mutation.bundle.js"],
    isolate: false,
    testTimeout: 60_000,
    tags: [{ name: "slow", skip: true }],
  },
});
export default config;
