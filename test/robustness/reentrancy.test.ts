import { describe, expect, it } from "vitest";
import { createEngine, type Engine, TwinbaseError } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { idsOf, type UntypedBranch, type UntypedTable, untyped } from "../rules/fixture.js";
import { digest } from "./digest.js";

function open(): { engine: Engine; branch: UntypedBranch; table: UntypedTable } {
  const engine = createEngine({ seed: 1, now: 0 });
  const branch = untyped(engine.createWorkspace("acme").createDatabase("shop").branch("main"));
  const table = branch.createTable("items", defineColumns({ n: "int", u: "string unique" }));
  table.insert([
    { id: "a", n: 1, u: "a" },
    { id: "b", n: 2, u: "b" },
  ]);
  table.update("a", { n: 1 }); // a table written before may be changed in place
  return { engine, branch, table };
}

/** Compares all ways of reading the table. */
function expectConsistent(table: UntypedTable): void {
  const ids = idsOf(table.scan());
  expect(table.count()).toBe(ids.length);
  expect(table.count({})).toBe(ids.length);
  expect(idsOf(table.query({ page: { size: 200 } }).records)).toEqual(ids);
  for (const id of [...ids, "inner", "x", "a", "b"]) {
    expect(table.get(id) !== null, id).toBe(ids.includes(id));
    expect(table.count({ id }), id).toBe(ids.includes(id) ? 1 : 0);
  }
}

/** A record whose field runs a callback when it is read. */
function recordThat(act: () => void, fields: object = {}): object {
  return {
    ...fields,
    get n() {
      act();
      return 5;
    },
  };
}

describe("a getter in a request", () => {
  it("E-5: that writes is refused, with the query", () => {
    const { engine, table } = open();
    const before = digest(engine);
    const filter = recordThat(() => table.insert({}));
    for (const call of [
      () => table.count(filter),
      () => table.query({ filter }),
      () => table.explain({ filter }),
    ]) {
      expect(call).toThrow(/cannot write to the engine/);
      expect(digest(engine)).toBe(before);
    }
    table.insert({}); // the engine accepts writes again
    expectConsistent(table);
  });

  it("E-5: that throws makes the call throw the same error and change nothing", () => {
    const { engine, table } = open();
    const before = digest(engine);
    const record = recordThat(() => {
      throw new RangeError("mine");
    });
    const calls = [
      () => table.insert(record),
      () => table.insert([{}, record]),
      () => table.update("a", record),
      () => table.put("new", record),
      () => table.count(record),
      () => table.query({ filter: record }),
    ];
    for (const call of calls) {
      expect(call).toThrow("mine");
      expect(digest(engine)).toBe(before);
    }
  });
});

describe("an iterable passed to load", () => {
  it("R-5: may read the engine, or be a set", () => {
    const { branch, table } = open();
    const copy = branch.createTable("copy", defineColumns({ n: "int", u: "string" }));
    expect(copy.load(table.scan())).toBe(2);
    expect(copy.load(new Set([{ id: "x" }, { id: "y" }]))).toBe(2);
    expect(idsOf(copy.scan())).toEqual(["a", "b", "x", "y"]);
  });

  it("R-5: may not write to the engine", () => {
    const { engine, branch, table } = open();
    const other = branch.createTable("other");
    const before = digest(engine);
    for (const target of [table, other]) {
      function* records() {
        yield { id: "x" };
        target.insert({ id: "inner" });
        yield { id: "y" };
      }
      expect(() => table.load(records())).toThrow(/cannot write to the engine/);
      expect(digest(engine)).toBe(before);
      expectConsistent(table);
    }
  });

  it("R-5: that throws midway leaves nothing", () => {
    const { engine, table } = open();
    const before = digest(engine);
    function* records() {
      yield { id: "x" };
      yield {};
      throw new RangeError("mine");
    }
    expect(() => table.load(records())).toThrow("mine");
    expect(digest(engine)).toBe(before);
  });

  it("R-5: that is not iterable, or yields no records, is refused", () => {
    const { engine, table } = open();
    const before = digest(engine);
    const scalars = [undefined, null, 1, "records"];
    const others = [{}, () => [], new Map([[1, 2]]), new Set(["x"]), [[]]];
    for (const records of [...scalars, ...others]) {
      expect(() => table.load(records)).toThrow(TwinbaseError);
    }
    expect(digest(engine)).toBe(before);
  });
});

describe("a running scan", () => {
  it("R-6: reads one snapshot, whatever is written meanwhile", () => {
    const { engine, branch, table } = open();
    table.load(Array.from({ length: 3000 }, (_, i) => ({ id: `r${10_000 + i}`, n: i })));
    const links = branch.createTable("links", defineColumns({ to: "-> items" }));
    links.load(Array.from({ length: 50 }, (_, i) => ({ id: `l${100 + i}`, to: `r${10_000 + i}` })));
    const whole = JSON.stringify([...table.scan({ sort: { n: "desc" } })]);
    const linked = JSON.stringify([...links.scan({ columns: ["to.n"] })]);
    const scans = [table.scan({ sort: { n: "desc" } }), links.scan({ columns: ["to.n"] })] as const;
    const starts = scans.map((scan) => scan.next().value);
    table.update("r10005", { n: 77 });
    table.delete("r10007");
    table.insert({ n: 99 });
    for (let i = 0; i < 2500; i++) table.delete(`r${10_000 + i}`);
    table.addColumn({ name: "late", type: "int", defaultValue: 1 });
    table.removeColumn("u");
    links.update("l105", { to: null });
    engine.snapshot();
    expect(JSON.stringify([starts[0], ...scans[0]])).toBe(whole);
    expect(JSON.stringify([starts[1], ...scans[1]])).toBe(linked);
    branch.deleteTable("items");
    expect([...scans[0]]).toEqual([]);
  });
});
