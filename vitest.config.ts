import { defineConfig, type ViteUserConfig } from "vitest/config";

/** They put another module or clock in the place of one, which tests in the same process would see too. */
const MOCKING = ["test/query/half-built.test.ts", "test/conformance/kit/time.test.ts"];

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: ["test/freeze.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: MOCKING,
          // Half of the time went into loading the same modules for each file. What a test leaves
          // behind in them would be a fault of theirs.
          isolate: false,
        },
      },
      { extends: true, test: { name: "mocking", include: MOCKING } },
    ],
    typecheck: { enabled: false },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    maxWorkers: "100%",
    // What takes long, and is left out where tests run again for each mutant.
    tags: [{ name: "slow" }],
    coverage: { include: ["src/**"] },
  },
});
export default config;
