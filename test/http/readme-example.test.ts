import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

it("X-1: the example of README.md is the test that is run", () => {
  const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  const example = readFileSync(resolve(import.meta.dirname, "example.test.ts"), "utf8");
  expect(/^```typescript\n([\s\S]*?)^```$/m.exec(readme)?.[1]).toBe(example);
});
