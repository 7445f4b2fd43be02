import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

it("X-1: the example of docs/testing.md is the test that is run", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/testing.md"), "utf8");
  const example = readFileSync(resolve(import.meta.dirname, "example.test.ts"), "utf8");
  expect(/^```typescript\n([\s\S]*?)^```$/m.exec(page)?.[1]).toBe(example);
});
