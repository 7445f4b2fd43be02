/** @module-tag slow */
import { beforeAll, describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { openBranch, openTable, refused, type UntypedTable } from "../rules/fixture.js";

// Requests that take polynomial time in a naive engine. The tests measure no time: each takes some seconds
// at most, and would take minutes.

const ROWS = 5000;
let table: UntypedTable;

beforeAll(() => {
  table = openTable(
    defineColumns({
      n: "int",
      s: "string",
      t: "text",
      tags: "multiple",
      doc: "json",
      next: "-> items",
    }),
  );
  table.load(
    Array.from({ length: ROWS }, (_, i) => ({
      id: `r${i}`,
      n: 1,
      s: `s${i % 50}`,
      t: `text ${i}`,
      tags: ["x", `y${i % 9}`],
      doc: { list: [i % 7, "x"] },
      next: `r${(i * 7) % ROWS}`,
    })),
  );
});

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function nest(levels: number, wrap: (inner: unknown) => unknown, core: unknown): unknown {
  let value = core;
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}

describe("a query does not hang on long lists", () => {
  it("L-3: 100,000 members of any type", () => {
    const lists: Record<string, unknown[]> = {
      n: times(100_000, (i) => i + 2),
      id: times(100_000, (i) => `r${i + ROWS}`),
      s: times(100_000, (i) => `x${i}`),
      t: times(100_000, (i) => `x${i}`),
      tags: times(100_000, (i) => `z${i}`),
      next: times(100_000, (i) => `z${i}`),
      doc: times(100_000, (i) => ({ list: [i] })),
      "doc->list->0": times(100_000, (i) => i + 7),
      "next.next.s": times(100_000, (i) => `x${i}`),
    };
    for (const [path, members] of Object.entries(lists)) {
      expect(table.count({ [path]: { $any: members } }), path).toBe(0);
      expect(table.count({ [path]: { $none: members } }), path).toBe(ROWS);
    }
    expect(table.count({ tags: { $any: times(100_000, (i) => [`z${i}`]) } })).toBe(0);
    expect(table.count({ next: { $is: times(100_000, (i) => ({ id: `z${i}` })) } })).toBe(0);
    expect(table.count({ tags: { $includesAll: times(100_000, (i) => `z${i}`) } })).toBe(0);
    expect(table.count({ "doc->list": { $includes: times(100_000, (i) => i + 9) } })).toBe(0);
  });

  it("L-3: a thousand predicates, of every kind", () => {
    const any = (condition: (i: number) => object, count = 1000): number =>
      table.count({ $any: times(count, condition) });
    expect(any((i) => ({ n: { $gt: i + 5 } }))).toBe(0);
    expect(any((i) => ({ s: { $contains: `q${i}` } }))).toBe(0);
    expect(any((i) => ({ t: { $pattern: `*q*${i}*` } }))).toBe(0);
    expect(any((i) => ({ tags: { $includes: { $startsWith: `q${i}` } } }), 500)).toBe(0);
    expect(any((i) => ({ next: { next: { s: `q${i}` } } }))).toBe(0);
    expect(any((i) => ({ "doc->list": { $includes: `q${i}` } }), 500)).toBe(0);
    expect(any((i) => ({ $not: { $exists: ["n", `doc->list->${i % 2}`] } }), 500)).toBe(0);
  });

  it("L-5: paths of sixteen links", () => {
    const path = "next.".repeat(16);
    expect(table.count({ [`${path}n`]: 1 })).toBe(ROWS);
    expect(table.query({ sort: { [`${path}s`]: "asc" } }).records).toHaveLength(20);
    const columns = times(1000, (i) => (i % 2 === 0 ? `${path}n` : `${"next.".repeat(i % 15)}s`));
    const { records } = table.query({ columns, page: { size: 200 } });
    expect(records).toHaveLength(200);
  });
});

describe("a call does not hang on parts without limits", () => {
  it("E-5: a sort with 100,000 keys", () => {
    const { records } = table.query({
      sort: times(100_000, (i) => (i % 2 === 0 ? "n" : { n: "desc" })),
    });
    expect(records).toHaveLength(20);
    const wide = Object.fromEntries(times(200_000, (i) => [`n${i}`, "asc"]));
    for (const sort of [wide, [wide], times(100_000, () => wide).slice(0, 2)]) {
      expect(refused(() => table.query({ sort })).rule).toBe("P-9");
    }
  });

  it("E-5: a filter with 500,000 parts or keys, or a path of a million characters", () => {
    const parts = times(500_000, () => ({}));
    expect(refused(() => table.count({ $all: parts })).code).toBe("invalid_filter");
    const full = times(500_000, () => ({ n: 1 }));
    expect(refused(() => table.count({ $all: full })).code).toBe("invalid_request");
    const keys = Object.fromEntries(times(500_000, (i) => [`n${i}`, 1]));
    expect(refused(() => table.count(keys)).code).toBe("unknown_column");
    expect(refused(() => table.count({ $exists: "a.".repeat(1e6) })).code).toBe("unknown_column");
    expect(table.count({ [`doc${"->a".repeat(300_000)}`]: 1 })).toBe(0);
    expect(table.count({ t: { $pattern: "*".repeat(1e6) } })).toBe(ROWS);
    expect(table.count({ t: { $pattern: "*?".repeat(100_000) } })).toBe(0);
  });

  it("E-5: sparse arrays of maximum length", () => {
    const holes = new Array<unknown>(2 ** 32 - 1);
    for (const request of [
      { columns: holes },
      { sort: holes },
      { filter: { $all: holes } },
      { filter: { $exists: holes } },
      { filter: { n: { $any: holes } } },
      { filter: { doc: holes } },
      { filter: { tags: holes } },
    ]) {
      expect(refused(() => table.query(request)).status).toBe(400);
    }
    expect(refused(() => table.insert({ tags: holes })).rule).toBe("T-8");
    expect(refused(() => table.insert({ doc: holes })).rule).toBe("T-11");
    expect(refused(() => openTable(holes)).code).toBe("invalid_schema");
  });

  it("E-5: a table with 50,000 columns, and a record with 100,000 keys", () => {
    const column = (i: number) => ({ name: `c${i}`, type: "int" });
    expect(refused(() => openTable(times(50_000, column))).rule).toBe("L-6");
    const columns = times(1000, column);
    const wide = openTable(columns);
    expect(wide.schema().columns).toHaveLength(1000);
    const record = Object.fromEntries(columns.map(({ name }, i) => [name, i]));
    const { id } = wide.insert(record);
    const changes = Object.fromEntries(columns.map(({ name }) => [name, { $increment: 1 }]));
    expect(wide.update(id, changes).c999).toBe(1000);
    const twice = [...columns.slice(1), { name: "C7", type: "int" }];
    expect(refused(() => openTable(twice)).rule).toBe("N-3");
    const unknown = Object.fromEntries(times(100_000, (i) => [`x${i}`, 1]));
    expect(refused(() => wide.insert(unknown)).rule).toBe("R-8");
  });

  it("L-9: a batch of 20,000 invalid records lists the first 100, and counts the others", () => {
    const bad = times(20_000, () => ({ nope: 1 }));
    const { errors = [], more } = refused(() => table.insert(bad));
    expect(errors).toHaveLength(100);
    expect(more).toBe(19_900);
    expect(table.count()).toBe(ROWS);
  });
});

describe("text search and comparison do not hang on worst cases", () => {
  it("F-10, F-11: a needle that nearly matches at every position", () => {
    const held = openTable([{ name: "t", type: "text" }]);
    held.insert({ t: "a".repeat(400_000) });
    const half = "a".repeat(200_000);
    for (const operator of ["$contains", "$iContains"]) {
      expect(held.count({ t: { [operator]: `${half}b${half.slice(1)}` } })).toBe(0);
      expect(held.count({ t: { [operator]: half } })).toBe(1);
    }
    expect(held.count({ t: { $pattern: `*${half}b${half.slice(1)}*` } })).toBe(0);
    const many = openTable([{ name: "t", type: "text" }]);
    many.load(times(1000, (i) => ({ t: `${i}${"a".repeat(4000)}` })));
    expect(many.count({ t: { $pattern: `*a${"?".repeat(1000)}b*` } })).toBe(0);
    expect(many.count({ t: { $contains: `${"a".repeat(2000)}b${"a".repeat(1999)}` } })).toBe(0);
  });

  it("E-5: ids, unique values and list items with colliding hashes", () => {
    // Either block of each pair leads to the same state of an unseeded hash.
    const steps = equalBlocks(17);
    const texts = times(2 ** 17, (i) => steps.map((pair, bit) => pair[(i >> bit) & 1]!).join(""));
    const held = openTable(defineColumns({ u: "string unique", tags: "multiple" }));
    held.load(texts.map((id) => ({ id, u: id, tags: [id] })));
    expect(held.count({ u: texts[77] })).toBe(1);
    expect(held.get(texts[78]!)).not.toBeNull();
  });

  it("P-9: a thousand unknown names close to a thousand columns", () => {
    const name = (i: number): string => `${"abcdefgh".repeat(7)}${i}`;
    const wide = openTable(times(1000, (i) => ({ name: name(i), type: "int" })));
    const bad = times(1000, () => ({ [`${"abcdefgx".repeat(7)}y`]: 1 }));
    expect(refused(() => wide.insert(bad)).rule).toBe("R-8");
  });
});

/** Pairs of blocks of four characters that collide in an unseeded hash. */
function equalBlocks(count: number): (readonly [string, string])[] {
  let state = count * 4;
  return times(count, () => {
    const blockByState = new Map<number, string>();
    for (let i = 0; ; i++) {
      const block = String.fromCharCode(
        256 + (i & 255),
        256 + (i >>> 8),
        256 + (i % 509),
        256 + (i % 1021),
      );
      const next = stepUnseeded(state, block);
      const known = blockByState.get(next);
      blockByState.set(next, block);
      if (known === undefined) continue;
      state = next;
      return [known, block] as const;
    }
  });
}

function stepUnseeded(state: number, block: string): number {
  let hash = state;
  for (let i = 1; i < block.length; i += 2) {
    const pair = block.charCodeAt(i - 1) ^ Math.imul(block.charCodeAt(i), 0x9e3779b1);
    hash = Math.imul(hash ^ pair, 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash;
}

describe("repeated writes of one record do not hang", () => {
  it("E-5: inserted and deleted", () => {
    const held = openTable([{ name: "u", type: "string", unique: true }]);
    held.load(times(100_000, (i) => ({ id: `r${i}`, u: `u${i}` })));
    for (let i = 0; i < 3000; i++) {
      held.insert({ id: "x", u: "x" });
      held.delete("x");
    }
    expect(held.count()).toBe(100_000);
    expect(held.get("x")).toBeNull();
  });

  it("E-5: updated with the same unique value, or two in turn", () => {
    const held = openTable([{ name: "u", type: "int", unique: true }]);
    held.load(times(100_000, (i) => ({ id: `r${i}`, u: i })));
    for (let i = 0; i < 10_000; i++) {
      held.update("r5", { u: 5 });
      held.update("r6", { u: i % 2 === 0 ? -6 : 6 });
    }
    expect(refused(() => held.update("r7", { u: 5 })).rule).toBe("T-16");
    expect(held.update("r7", { u: -6 }).u).toBe(-6);
  });
});

describe("deep nesting", () => {
  const DEEP = 100_000;

  it("E-5: is refused at any path of a request", () => {
    const list = (core: unknown): unknown => nest(DEEP, (inner) => [inner], core);
    const under = (key: string, core: unknown): unknown =>
      nest(DEEP, (inner) => ({ [key]: inner }), core);
    const requests: [unknown, RegExp][] = [
      ...["$not", "$all", "$any", "$none"].flatMap((key): [unknown, RegExp][] => [
        [{ filter: under(key, { n: 1 }) }, /L-3/],
        [{ filter: nest(DEEP, (inner) => ({ [key]: [inner] }), { n: 1 }) }, /L-3/],
        [{ filter: { n: under(key, 1) } }, /L-3/],
        [{ filter: { next: under(key, { n: 1 }) } }, /L-3/],
        [{ filter: { tags: { $includes: under(key, "x") } } }, /L-3/],
      ]),
      [{ filter: under("next", { n: 1 }) }, /L-[35]/],
      [{ filter: { n: list(1) } }, /L-3/],
      [{ filter: { n: { $is: list(1) } } }, /L-3/],
      [{ filter: { n: under("$is", 1) } }, /F-16/],
      [{ filter: { doc: list(1) } }, /F-16/],
      [{ filter: { doc: under("a", 1) } }, /F-16/],
      [{ filter: list({}) }, /F-1/],
      [{ filter: { $exists: list("n") } }, /F-4/],
      [{ sort: list("n") }, /S-1/],
      [{ sort: { n: under("asc", 1) } }, /S-2/],
      [{ columns: list("n") }, /P-2/],
      [{ columns: [{ name: "<-items.next", columns: list("n") }] }, /P-2/],
      [{ page: under("page", 1) }, /E-3/],
      [{ page: { size: list(1) } }, /G-1/],
      [{ page: { after: list("x") } }, /G-13/],
      [under("filter", {}), /P-9|E-3/],
      [list({}), /E-3/],
    ];
    for (const [request, rule] of requests) {
      expect(refused(() => table.query(request)).rule).toMatch(rule);
    }
    const bossOf = nest(DEEP, (inner) => ({ name: "<-items.next", columns: [inner] }), "n");
    expect(refused(() => table.query({ columns: [bossOf] })).rule).toBe("P-11");
  });

  it("E-5: is refused in records, columns and operations", () => {
    const list = nest(DEEP, (inner) => [inner], 1);
    const object = nest(DEEP, (inner) => ({ a: inner }), 1);
    for (const value of [list, object]) {
      for (const column of ["n", "s", "tags", "doc", "next"]) {
        expect(refused(() => table.insert({ [column]: value })).code).toBe("invalid_record");
        expect(refused(() => table.update("r1", { [column]: value })).code).toBe("invalid_record");
      }
      expect(refused(() => table.insert([value, value])).errors).toHaveLength(2);
      expect(refused(() => table.insert({ id: value })).rule).toBe("R-3");
    }
    const column = nest(DEEP, (inner) => ({ name: "o", type: "object", columns: [inner] }), {
      name: "leaf",
      type: "int",
    });
    const branch = openBranch();
    expect(refused(() => branch.createTable("t", [column])).code).toBe("invalid_schema");
    const filled = { name: "d", type: "json", defaultValue: list };
    expect(refused(() => branch.createTable("t", [filled])).code).toBe("invalid_schema");
    expect(refused(() => branch.transaction([list])).code).toBe("invalid_request");
    expect(refused(() => branch.transaction([{ insert: object }])).code).toBe("invalid_request");
  });

  it("T-11: deep nesting within the limit survives a round trip", () => {
    const doc = nest(400, (inner) => ({ a: [inner] }).a, 1);
    const { id } = table.insert({ doc });
    expect(table.get(id)?.doc).toEqual(doc);
    expect(table.count({ doc: { $is: doc } })).toBe(1);
    const { cursor } = table.query({ filter: { doc: { $is: doc } } }).meta.page;
    expect(table.query({ page: { start: cursor } }).records).toHaveLength(1);
    table.delete(id);
  });
});
