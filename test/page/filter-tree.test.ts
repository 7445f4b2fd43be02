import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leavesOf, valueAt } from "../../page/state/columns.js";
import {
  buildFilter,
  draftOf,
  type FilterNode,
  filterByValue,
  findFault,
  type GroupNode,
  isFilterable,
  readFilter,
  replaceNode,
} from "../../page/state/filter-tree.js";
import { createEngine } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";
import type { Filter } from "../../src/types.js";
import { defineColumns } from "../columns.js";
import { runs, seed } from "../generated.js";

const table = createEngine()
  .createWorkspace("w")
  .createDatabase("d")
  .branch("main")
  .createTable("t", defineColumns({ name: "string", n: "int", tags: "multiple", o: { x: "int" } }));
const NAMES = ["Ann", "Bob", "Cyd", null];
table.insert(
  Array.from({ length: 64 }, (_, i) => ({
    id: `r${i}`,
    name: NAMES[i % 4],
    n: i % 7 === 0 ? null : i % 5,
    tags: i % 3 === 0 ? null : ["a", "b"].slice(i % 2),
    o: { x: i % 4 },
  })),
);

const operand = fc.record({
  path: fc.constantFrom("n", "o.x"),
  value: fc.integer({ min: 0, max: 4 }),
});
const test = fc.oneof(
  fc.constantFrom("Ann", "Bob", null).map((name) => ({ name })),
  fc.constantFrom("Ann", "B").map((text) => ({ name: { $startsWith: text, $isNot: "Bob" } })),
  operand.map(({ path, value }) => ({ [path]: { $ge: value, $lt: value + 2 } })),
  operand.map(({ path, value }) => ({ [path]: { $any: [value, 4] } })),
  fc.constantFrom({ $exists: "n" }, { $notExists: "name" }, { o: { x: 2 } }),
  fc.constantFrom({ name: { $not: { $is: "Ann" } } }, { tags: { $includes: { $is: "a" } } }),
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    test,
    fc
      .tuple(
        fc.constantFrom("$all", "$any", "$none", "$not"),
        fc.array(tie("filter"), { minLength: 1, maxLength: 3 }),
      )
      .map(([key, members]) => ({ [key]: members })),
    fc
      .tuple(test, fc.constantFrom("$any", "$not"), tie("filter"))
      .map(([first, key, second]) => ({ ...first, [key]: second })),
  ),
}));

describe("the tree of a filter", () => {
  it("converts back to a filter of the same records", () => {
    fc.assert(
      fc.property(filter, (given) => {
        const built = buildFilter(readFilter(given)).filter as Filter;
        const ids = (wanted: Filter) =>
          (table as AnyTable)
            .query({ filter: wanted, page: { size: 64 } })
            .records.map(({ id }) => id);
        expect(ids(built)).toEqual(ids(given));
        expect(ids(buildFilter(readFilter(built)).filter as Filter)).toEqual(ids(given));
      }),
      { seed, numRuns: Math.ceil(300 * runs) },
    );
  });

  it.each([
    [{}],
    [{ name: "Ann" }],
    [{ name: "Ann", n: { $gt: 1, $le: 4 } }],
    [{ $any: [{ name: "Ann" }, { n: 3, name: "Bob" }], $exists: "n" }],
    [{ name: { $not: { $is: "Ann" } } }],
    [["not", "a", "filter"]],
    [{ $strange: 1 }],
    [{ constructor: 1, toString: "x" }],
  ])("keeps %j unchanged", (given) => {
    expect(buildFilter(readFilter(given)).filter).toEqual(given);
  });

  it.each([
    ["/name", "name"],
    ["/n/$gt", "n"],
    ["/n/$gt/deeper", "n"],
    ["/$any/1/tags/$includes", "tags"],
    ["/$any/1", "tags"],
    ["/$any", "$any"],
    ["/other", "$all"],
    ["", "$all"],
  ])("maps a fault at %j to its node", (path, expected) => {
    const root = readFilter({ name: 1, n: { $gt: "x" }, $any: [{ o: 1 }, { tags: 2 }] });
    const node = findFault(buildFilter(root), path, root);
    expect(node.kind === "test" ? node.path : node.kind === "group" && node.operator).toBe(
      expected,
    );
  });

  it("omits a test without a value", () => {
    const draft = draftOf([{ path: "name", type: "string" }]);
    const group: FilterNode = { kind: "group", operator: "$any", members: [draft] };
    const root: GroupNode = { kind: "group", operator: "$all", members: [draft, group] };
    expect(buildFilter(root).filter).toEqual({});
    expect(buildFilter({ ...root, operator: "$none" }).filter).toEqual({});
    const filled = { ...draft, value: "" };
    expect(buildFilter({ ...root, members: [draft, filled] }).filter).toEqual({ name: "" });
    const existing = { ...draft, operator: "$exists" };
    expect(buildFilter({ ...root, members: [existing] }).filter).toEqual({ $exists: "name" });
    const listed = { ...group, members: [draft, filled] };
    const built = buildFilter({ ...root, members: [listed] });
    expect(built.filter).toEqual({ $any: [{ name: "" }] });
    expect(findFault(built, "/$any/0/name", root)).toBe(filled);
  });

  it("changes one node only", () => {
    const root = readFilter({ name: "Ann", $any: [{ n: 1 }, { n: 2 }] });
    const group = root.members[1] as FilterNode & { members: FilterNode[] };
    const next = replaceNode(root, group.members[0]!, undefined);
    expect(buildFilter(next).filter).toEqual({ name: "Ann", $any: [{ n: 2 }] });
    expect(next.members[0]).toBe(root.members[0]);
    expect(replaceNode(root, readFilter({}), undefined)).toBe(root);
  });
});

describe("a filter by the value of a cell", () => {
  const leaves = leavesOf({ name: "t", columns: table.schema().columns });

  it.each(leaves)("finds the records that have it: $path", (leaf) => {
    for (const record of table.query({ page: { size: 200 } }).records) {
      const value = valueAt(record, leaf.path) ?? null;
      const filter = JSON.parse(filterByValue("", leaf, value)) as Filter;
      const found = table.query({ filter, page: { size: 200 } }).records;
      expect(found.map(({ id }) => id)).toContain(record.id);
      for (const other of found) expect(valueAt(other, leaf.path) ?? null).toEqual(value);
    }
  });

  it("keeps other conditions, and replaces those of the column", () => {
    const name = leaves.find(({ path }) => path === "name")!;
    expect(filterByValue('{"n":{"$gt":1}}', name, "Ann")).toBe('{"n":{"$gt":1},"name":"Ann"}');
    expect(filterByValue('{"name":"Bob","n":1}', name, null)).toBe('{"n":1,"$notExists":"name"}');
    expect(filterByValue('{"$any":[{"n":1},{"n":2}]}', name, "Ann")).toBe(
      '{"$any":[{"n":1},{"n":2}],"name":"Ann"}',
    );
    expect(filterByValue("{", name, "Ann")).toBe('{"name":"Ann"}');
    const link = { path: "team", type: "link", link: "teams", isOwn: true } as const;
    expect(filterByValue("", link, { id: "blue" })).toBe('{"team":"blue"}');
    expect(["json", "vector", "file"].map((type) => isFilterable({ type } as never))).toEqual([
      false,
      false,
      false,
    ]);
  });
});
