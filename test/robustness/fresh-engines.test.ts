import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/index.js";
import { defineColumns } from "../columns.js";

describe("fresh engines", () => {
  it("a thousand, with a table, ten records and one query each, know nothing of each other", () => {
    const start = performance.now();
    const answers = Array.from({ length: 1000 }, (_, i) => {
      const branch = createEngine({ seed: i })
        .createWorkspace("w")
        .createDatabase("d")
        .branch("main");
      const table = branch.createTable("t", defineColumns({ name: "string", n: "int" }));
      table.insert(Array.from({ length: 10 }, (_, k) => ({ name: `r${k}`, n: (k * i) % 7 })));
      const { records } = table.query({
        filter: { n: { $ge: 3 } },
        sort: { n: "desc", name: "asc" },
      });
      return records.map(({ name, n }) => `${name}:${n}`).join(" ");
    });
    const took = performance.now() - start;
    console.log(`1,000 fresh engines: ${Math.round(took)} ms`);
    answers.forEach((answer, i) => {
      const expected = Array.from({ length: 10 }, (_, k) => ({ name: `r${k}`, n: (k * i) % 7 }))
        .filter(({ n }) => n >= 3)
        .sort((a, b) => b.n - a.n || (a.name < b.name ? -1 : 1))
        .map(({ name, n }) => `${name}:${n}`)
        .join(" ");
      expect(answer).toBe(expected);
    });
  });
});
