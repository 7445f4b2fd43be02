import { describe, expect, it } from "vitest";
import { loadFixture } from "../../src/fixtures.js";
import { createEngine } from "../../src/index.js";

function widenedIn(name: string, text: string) {
  const branch = createEngine({ seed: 1 }).createWorkspace("w").createDatabase("d").branch("main");
  return loadFixture(branch, "t", { name, text }).widened;
}

const JOINED = { column: "joined", type: "string", narrower: "datetime" };

describe("a column with a few outliers", () => {
  it.each([
    ["in the middle", ["2024-01-31", "2024-02-30", "2024-03-01", "2024-03-02"], 3],
    ["first", ["2024-02-30", "2024-01-31", "2024-03-01"], 2],
    ["last", ["2024-01-31", "2024-03-01", "2024-02-30"], 4],
  ])("is reported with value and line, if the outlier is %s", (_, days, line) => {
    const values = [{ line, value: "2024-02-30" }];
    expect(widenedIn("t.csv", `joined\n${days.join("\n")}\n`)).toEqual([{ ...JOINED, values }]);
    const lines = days.map((joined) => JSON.stringify({ joined }));
    expect(widenedIn("t.ndjson", lines.join("\n"))).toEqual([
      { ...JOINED, values: [{ line: line - 1, value: "2024-02-30" }] },
    ]);
    expect(widenedIn("t.json", `[\n${lines.join(",\n")}\n]`)).toEqual([{ ...JOINED, values }]);
  });

  it("is reported with each outlier", () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => String(i));
    lines[4] = "many";
    lines[25_000] = "n/a";
    expect(widenedIn("t.csv", `n\n${lines.join("\n")}\n`)).toEqual([
      {
        column: "n",
        type: "string",
        narrower: "int",
        values: [
          { line: 6, value: "many" },
          { line: 25_002, value: "n/a" },
        ],
      },
    ]);
  });

  it("is reported inside objects", () => {
    const records = [1, 2, "three", 4.5].map((size) => ({ shoe: { size } }));
    const exception = { narrower: "float", values: [{ line: 1, value: "three" }] };
    expect(widenedIn("t.json", JSON.stringify(records))).toEqual([
      { column: "shoe.size", type: "string", ...exception },
    ]);
    expect(widenedIn("t.csv", "shoe.size\n1\n2\nthree\n4.5\n")).toMatchObject([
      { column: "shoe.size", type: "string", narrower: "float", values: [{ line: 4 }] },
    ]);
  });

  it.each([
    ["some dates among texts", "a\n2024-01-01\nx\ny\n2024-01-02\nz\nv\nw\n"],
    ["numbers of two kinds", "a\n1\n2\n2.5\n3\n"],
    ["equally many of two kinds", "a\n1\ntrue\n2\nfalse\n"],
    ["too many exceptions", `a\n${"1\n".repeat(50)}${"x\n".repeat(4)}`],
    ["values of one kind, and empty cells", "a,b\n1,2\n,2\n3,2\n"],
    ["ids", "id,a\n1,1\n2,1\nx,1\n"],
  ])("is not reported for %s", (_, text) => {
    expect(widenedIn("t.csv", text)).toEqual([]);
  });
});
