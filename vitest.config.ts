import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    typecheck: { enabled: false },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // Half of the time went into loading the same modules for each file. What a test leaves behind
    // in them would be a fault of theirs.
    isolate: false,
    maxWorkers: "100%",
    // What takes long, and is left out where tests run again for each mutant.
    tags: [{ name: "slow" }],
    coverage: { include: ["src/**"] },
  },
});
export default config;
