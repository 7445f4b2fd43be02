import { describe, expect, it } from "vitest";
import { expectRefused, openBranch, openTable } from "../rules/fixture.js";
import { search, searchAll, searchVectors } from "./fixture.js";

const COLUMNS = [
  { name: "name", type: "string" },
  { name: "n", type: "int" },
  { name: "at", type: "datetime" },
  { name: "on", type: "bool" },
  { name: "any", type: "json" },
  { name: "v", type: "vector", vector: { dimension: 2 } },
  { name: "size", type: "object", columns: [{ name: "x", type: "int" }] },
  { name: "team", type: "link", link: { table: "items" } },
];

const boosters = (kind: string, booster: object): object => ({ boosters: [{ [kind]: booster }] });
const number = (booster: object): object =>
  boosters("numericBooster", { column: "n", factor: 1, ...booster });
const date = (booster: object): object =>
  boosters("dateBooster", { column: "at", scale: "1d", decay: 0.5, ...booster });
const value = (booster: object): object =>
  boosters("valueBooster", { column: "n", value: 1, factor: 1, ...booster });

describe("invalid searches", () => {
  const table = openTable(COLUMNS);

  it.each<[object | null | string, string]>([
    [null, 'invalid_request E-3 ""'],
    ["red", 'invalid_request E-3 ""'],
    [{ querry: "x" }, "invalid_request E-3 /querry"],
    [{ tables: [] }, "invalid_request E-3 /tables"],
    [{ query: 1 }, "invalid_request Q-2 /query"],
    [{ query: null }, "invalid_request Q-2 /query"],
    [{ query: "x".repeat(2049) }, "invalid_request Q-7 /query"],
    [{ fuzziness: 3 }, "invalid_request Q-3 /fuzziness"],
    [{ fuzziness: 0.5 }, "invalid_request Q-3 /fuzziness"],
    [{ fuzziness: -1 }, "invalid_request Q-3 /fuzziness"],
    [{ fuzziness: "1" }, "invalid_request Q-3 /fuzziness"],
    [{ prefix: "word" }, "invalid_request Q-4 /prefix"],
    [{ highlight: true }, "invalid_request E-3 /highlight"],
    [{ highlight: { on: true } }, "invalid_request E-3 /highlight/on"],
    [{ highlight: { enabled: 1 } }, "invalid_request E-3 /highlight/enabled"],
    [{ page: 1 }, "invalid_request E-3 /page"],
    [{ page: { after: "x" } }, "invalid_request E-3 /page/after"],
    [{ page: { size: 0 } }, "invalid_page Q-7 /page/size"],
    [{ page: { size: 201 } }, "invalid_page Q-7 /page/size"],
    [{ page: { size: "1" } }, "invalid_page Q-7 /page/size"],
    [{ page: { offset: -1 } }, "invalid_page Q-7 /page/offset"],
    [{ page: { offset: 801 } }, "invalid_page Q-7 /page/offset"],
    [{ target: [] }, "invalid_request Q-1 /target"],
    [{ target: "name" }, "invalid_request Q-1 /target"],
    [{ target: [1] }, "invalid_request E-3 /target/0"],
    [{ target: [{}] }, "invalid_request Q-1 /target/0"],
    [{ target: [{ column: 1 }] }, "invalid_request Q-1 /target/0/column"],
    [{ target: [{ column: "name", weight: 0.5 }] }, "invalid_request Q-1 /target/0/weight"],
    [{ target: [{ column: "name", weight: 11 }] }, "invalid_request Q-1 /target/0/weight"],
    [{ target: ["name", "nam"] }, "unknown_column P-9 /target/1"],
    [{ target: [{ column: "nam" }] }, "unknown_column P-9 /target/0/column"],
    [{ target: ["*"] }, "unknown_column P-9 /target/0"],
    [{ target: ["n"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["id"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["any"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["any->x"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["v"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["size"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["service"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["team"] }, "invalid_request Q-1 /target/0"],
    [{ target: ["team.name"] }, "invalid_request Q-1 /target/0"],
    [{ target: Array(1001).fill("name") }, "invalid_request Q-1 /target"],
    [{ filter: { nam: 1 } }, "unknown_column P-9 /filter/nam"],
    [{ filter: { n: "x" } }, "invalid_filter F-16 /filter/n"],
    [{ filter: 1 }, "invalid_filter F-1 /filter"],
    [{ boosters: {} }, "invalid_request Q-5 /boosters"],
    [{ boosters: [{}] }, "invalid_request Q-5 /boosters/0"],
    [{ boosters: [{ boost: 1 }] }, "invalid_request E-3 /boosters/0/boost"],
    [{ boosters: Array(101).fill({}) }, "invalid_request Q-5 /boosters"],
    [number({ column: undefined }), "invalid_request Q-5 /boosters/0/numericBooster/column"],
    [number({ factor: undefined }), "invalid_request Q-5 /boosters/0/numericBooster/factor"],
    [number({ factor: "1" }), "invalid_request Q-5 /boosters/0/numericBooster/factor"],
    [number({ modifier: "cube" }), "invalid_request Q-5 /boosters/0/numericBooster/modifier"],
    [number({ column: "name" }), "invalid_request Q-5 /boosters/0/numericBooster/column"],
    [number({ column: "x" }), "unknown_column P-9 /boosters/0/numericBooster/column"],
    [
      number({ ifMatchesFilter: { x: 1 } }),
      "unknown_column P-9 /boosters/0/numericBooster/ifMatchesFilter/x",
    ],
    [date({ column: "n" }), "invalid_request Q-5 /boosters/0/dateBooster/column"],
    [date({ scale: "1w" }), "invalid_request Q-5 /boosters/0/dateBooster/scale"],
    [date({ scale: 1 }), "invalid_request Q-5 /boosters/0/dateBooster/scale"],
    [date({ factor: -1 }), "invalid_request Q-5 /boosters/0/dateBooster/factor"],
    [date({ origin: "now" }), "invalid_request Q-5 /boosters/0/dateBooster/origin"],
    [date({ decay: undefined }), "invalid_request Q-5 /boosters/0/dateBooster/decay"],
    [value({ value: "1" }), "invalid_request Q-5 /boosters/0/valueBooster/value"],
    [value({ value: 1.5 }), "invalid_request Q-5 /boosters/0/valueBooster/value"],
    [value({ value: null }), "invalid_request Q-5 /boosters/0/valueBooster/value"],
    [value({ column: "at" }), "invalid_request Q-5 /boosters/0/valueBooster/column"],
    [value({ column: "size" }), "invalid_request Q-5 /boosters/0/valueBooster/column"],
  ])("%j: %s", (request, refusal) => {
    expectRefused(() => search(table, request), refusal);
  });

  it.each<[object, string]>([
    [{ page: { size: 0 }, bad: 1 }, "invalid_request E-3 /bad"],
    [{ filter: { x: 1 }, target: ["x"], page: { size: 0 } }, "invalid_page Q-7 /page/size"],
    [{ page: { offset: -1, size: 0 } }, "invalid_page Q-7 /page/offset"],
    [{ filter: { x: 1 }, target: ["x"] }, "unknown_column P-9 /target/0"],
    [
      { filter: { x: 1 }, ...number({ column: "x" }) },
      "unknown_column P-9 /boosters/0/numericBooster/column",
    ],
    [
      { ...number({ column: "x" }), target: ["x"] },
      "unknown_column P-9 /boosters/0/numericBooster/column",
    ],
    [{ fuzziness: 9, query: 1 }, "invalid_request Q-3 /fuzziness"],
  ])("E-6: %j reports %s first", (request, refusal) => {
    expectRefused(() => search(table, request), refusal);
  });

  it("E-3: null counts as absent under xata", () => {
    const xata = openTable(COLUMNS, "xata");
    xata.insert({ id: "a", name: "red" });
    const nulls = {
      fuzziness: null,
      target: null,
      filter: null,
      page: { size: null },
      prefix: null,
    };
    expect(search(xata, { query: "red", ...nulls, boosters: null }).totalCount).toBe(1);
    expectRefused(
      () => search(xata, { filter: { name: { $is: 1 } } }),
      "invalid_filter F-16 /filter/name/$is",
    );
  });
});

describe("invalid searches of a branch", () => {
  const branch = openBranch();
  branch.createTable("a", COLUMNS);
  branch.createTable("b", COLUMNS);

  it.each<[object, string]>([
    [{}, "invalid_request Q-2 /query"],
    [{ query: "" }, "invalid_request Q-2 /query"],
    [{ query: "x", filter: {} }, "invalid_request E-3 /filter"],
    [{ query: "x", tables: [] }, "invalid_request Q-1 /tables"],
    [{ query: "x", tables: "a" }, "invalid_request Q-1 /tables"],
    [{ query: "x", tables: ["a", "a"] }, "invalid_request Q-1 /tables/1"],
    [{ query: "x", tables: ["a", { table: "a" }] }, "invalid_request Q-1 /tables/1/table"],
    [{ query: "x", tables: ["c"] }, "invalid_request Q-1 /tables/0"],
    [{ query: "x", tables: [{ target: ["name"] }] }, "invalid_request Q-1 /tables/0"],
    [{ query: "x", tables: [{ table: "a", page: {} }] }, "invalid_request E-3 /tables/0/page"],
    [
      { query: "x", tables: [{ table: "a", target: ["x"] }] },
      "unknown_column P-9 /tables/0/target/0",
    ],
    [
      {
        query: "x",
        tables: [
          { table: "a", filter: { x: 1 } },
          { table: "b", target: ["x"] },
        ],
      },
      "unknown_column P-9 /tables/1/target/0",
    ],
    [
      { query: "x", tables: [{ table: "a", filter: { x: 1 } }] },
      "unknown_column P-9 /tables/0/filter/x",
    ],
  ])("%j: %s", (request, refusal) => {
    expectRefused(() => searchAll(branch, request), refusal);
  });
});

describe("V-1: invalid vector searches", () => {
  const table = openTable(COLUMNS);

  it.each<[object, string]>([
    [{}, "invalid_request V-1 /column"],
    [{ column: "v" }, "invalid_request V-1 /queryVector"],
    [{ queryVector: [1, 2] }, "invalid_request V-1 /column"],
    [{ column: "v", queryVector: [1] }, "invalid_request V-1 /queryVector"],
    [{ column: "v", queryVector: [1, 2, 3] }, "invalid_request V-1 /queryVector"],
    [{ column: "v", queryVector: "12" }, "invalid_request V-1 /queryVector"],
    [{ column: "v", queryVector: [1, "2"] }, "invalid_request V-1 /queryVector/1"],
    [{ column: "v", queryVector: [1, Number.NaN] }, "invalid_request V-1 /queryVector/1"],
    [
      { column: "v", queryVector: [Number.POSITIVE_INFINITY, 1] },
      "invalid_request V-1 /queryVector/0",
    ],
    [{ column: "n", queryVector: [1, 2] }, "invalid_request V-1 /column"],
    [{ column: "team.v", queryVector: [1, 2] }, "invalid_request V-1 /column"],
    [{ column: "w", queryVector: [1, 2] }, "unknown_column P-9 /column"],
    [{ column: 1, queryVector: [1, 2] }, "invalid_request V-1 /column"],
    [{ column: "v", queryVector: [1, 2], size: 0 }, "invalid_request V-1 /size"],
    [{ column: "v", queryVector: [1, 2], size: 1001 }, "invalid_request V-1 /size"],
    [
      { column: "v", queryVector: [1, 2], similarityFunction: "dot" },
      "invalid_request V-2 /similarityFunction",
    ],
    [{ column: "v", queryVector: [1, 2], filter: { x: 1 } }, "unknown_column P-9 /filter/x"],
    [{ column: "v", queryVector: [1, 2], page: {} }, "invalid_request E-3 /page"],
  ])("%j: %s", (request, refusal) => {
    expectRefused(() => searchVectors(table, request), refusal);
  });
});
