import { beforeAll, describe, expect, it } from "vitest";
import { matchingRecords } from "../../src/conformance/oracle/evaluate.js";
import { sortRecords } from "../../src/conformance/oracle/order.js";
import { fillDatabase } from "../../src/conformance/oracle/world.js";
import { PROFILES } from "../../src/profile.js";
import { defineColumns } from "../columns.js";
import { idsOf, openBranch, type UntypedBranch, type UntypedTable } from "../rules/fixture.js";

interface Row {
  readonly id: string;
  readonly n?: number;
  readonly at?: string;
  readonly on?: boolean;
  readonly alike: string;
  readonly text?: string;
  readonly owner?: string;
}

const COUNT = 2100;
const TAILS = [
  ...["", "\0", "\u0001", "a", "aaaaaaa", "aaaaaaaa", "aaaaaaab", "b\u007f"],
  ...["b\uffff", "é", "😀", "\ufb01", "\u{10ffff}"],
];

/** Rows with many ties and nulls at each level, in another order than their ids. */
function makeRow(i: number): Row {
  const place = (i * 7919) % COUNT;
  return {
    id: `r${String(place).padStart(5, "0")}`,
    // Common prefixes longer than a numeric sort key.
    alike: `the same beginning of all ${["aaaaaaaaaaaa", "aaaaaaaaaaab", "aaaaaaaaaaa"][place % 3]}${place % 5}`,
    ...(place % 6 !== 0 && { n: ((place * 13) % 9) * 1.5 - 6 }),
    ...(place % 7 !== 0 && {
      at: `20${20 + (place % 3)}-01-01T00:00:00.00${place % 2}00${place % 4}Z`,
    }),
    ...(place % 5 !== 0 && { on: place % 3 === 0 }),
    ...(place % 11 !== 0 && {
      text: `${place % 2 === 0 ? "x" : ""}${TAILS[(place * 3) % TAILS.length]}`,
    }),
    ...(place % 13 !== 0 && { owner: place % 17 === 0 ? "gone" : `o${place % 3}` }),
  };
}

const rows = Array.from({ length: COUNT }, (_, i) => makeRow(i));
const owners = [
  { id: "o0", age: 30 },
  { id: "o1", age: 20 },
  { id: "o2", name: "z" },
];
const SORTS = [
  ...["", "id asc", "id desc", "n asc", "n desc", "at asc", "at desc, n desc"],
  ...["on desc, alike asc", "alike asc", "alike desc, n asc", "alike asc, n desc, text asc"],
  ...["n desc, id desc", "text asc", "text desc, alike desc, on asc", "owner asc, text asc"],
  ...["owner.age desc, n asc", "owner.name asc, owner.age asc, at asc"],
];

const COLUMNS = defineColumns({
  n: "float",
  at: "datetime",
  on: "bool",
  alike: "text",
  text: "string",
  owner: "-> owners",
});
const OWNER_COLUMNS = defineColumns({ age: "int", name: "string" });

function sortOf(keys: string): Record<string, "asc" | "desc">[] {
  const pairs = keys.split(", ").map((key) => key.split(" "));
  return keys === "" ? [] : pairs.map(([path = "", way]) => ({ [path]: way as "asc" }));
}

/** The oracle's answers by case: both kinds of indexes have the same cases. */
const answers = new Map<string, string[]>();

/** The ids in the oracle's order (S-3, S-5). */
function sortByOracle(given: readonly Row[], keys: string, name: string): string[] {
  const known = answers.get(`${name} ${keys}`);
  if (known !== undefined) return known;
  const tables = [
    { name: "owners", columns: OWNER_COLUMNS, records: owners },
    { name: "rows", columns: COLUMNS, records: given },
  ] as unknown as Parameters<typeof fillDatabase>[1]; // rows are JSON
  const db = fillDatabase(PROFILES.documented, tables, 0);
  const sorted = sortRecords(db, "rows", sortOf(keys), matchingRecords(db, "rows"));
  const ids = idsOf(sorted.map(({ record }) => record));
  answers.set(`${name} ${keys}`, ids);
  return ids;
}

describe.each(["never", "always"] as const)("sorts of many rows, indexes %s", (indexes) => {
  let branch: UntypedBranch;
  let table: UntypedTable;
  beforeAll(() => {
    branch = openBranch({ indexes });
    branch.createTable("owners", OWNER_COLUMNS).insert(owners);
    table = branch.createTable("rows", COLUMNS);
    table.load(rows);
  });

  it.each(SORTS)("S-3, S-5: %s: all, first and last records", (keys) => {
    const sort = sortOf(keys);
    const whole = sortByOracle(rows, keys, "all");
    expect(idsOf(table.scan({ sort, columns: [] }))).toEqual(whole);
    const filtered = sortByOracle(
      rows.filter(({ n }) => n !== undefined && n > 3),
      keys,
      "n > 3",
    );
    const filter = { n: { $gt: 3 } };
    expect(idsOf(table.scan({ sort, filter, columns: [] }))).toEqual(filtered);
    for (const [size, offset] of [
      [1, 0],
      [7, 0],
      [200, 30],
    ] as const) {
      const page = { size, offset };
      expect(idsOf(table.query({ sort, columns: [], page }).records)).toEqual(
        whole.slice(offset, offset + size),
      );
      expect(idsOf(table.query({ sort, filter, columns: [], page }).records)).toEqual(
        filtered.slice(offset, offset + size),
      );
      const last = table.query({ sort, columns: [], page: { ...page, before: "end" } }).records;
      const end = COUNT - offset;
      expect(idsOf(last)).toEqual(whole.slice(end - size, end));
    }
  });

  it.each(SORTS.filter((_, i) => i % 2 === 0))(
    "G-5, G-9, G-12: %s: pages after, before and between, while records are written",
    (keys) => {
      const table = branch.createTable(`rows-${keys.replaceAll(/\W/g, "-")}`, COLUMNS);
      table.load(rows);
      let now = rows;
      const sort = sortOf(keys);
      let page = table.query({ sort, columns: [], page: { size: 150, offset: 20 } });
      const start = page.meta.page.cursor;
      for (let step = 0; step < 2; step++) {
        const changed = now.filter((_, i) => i % 101 === step);
        const added: Row = { ...makeRow(step * 5), id: `s${step}` };
        for (const [i, { id }] of changed.entries()) {
          if (i % 3 === 0) table.delete(id);
          else table.replace(id, { ...makeRow(step + i), id });
        }
        table.insert(added);
        now = now.flatMap((row) => {
          const i = changed.indexOf(row);
          return i < 0 ? [row] : i % 3 === 0 ? [] : [{ ...makeRow(step + i), id: row.id }];
        });
        now = [...now, added];
        const whole = sortByOracle(now, keys, `step ${step}`);
        expect(idsOf(table.scan({ sort, columns: [] }))).toEqual(whole);
        expect(idsOf(table.query({ sort, columns: [] }).records)).toEqual(whole.slice(0, 20));
        expect(idsOf(table.query({ sort, columns: [], page: { before: "end" } }).records)).toEqual(
          whole.slice(-20),
        );
        // Between records that are not written.
        const at = table.query({ sort, columns: [], page: { size: 1, offset: 700 } }).meta.page
          .cursor;
        const to = table.query({ sort, columns: [], page: { size: 1, offset: 790 } }).meta.page
          .cursor;
        const after = { after: at, size: 60, offset: 2 };
        expect(idsOf(table.query({ page: after }).records)).toEqual(whole.slice(703, 763));
        const before = { before: at, size: 60, offset: 2 };
        expect(idsOf(table.query({ page: before }).records)).toEqual(whole.slice(638, 698));
        const range = table.query({ page: { after: at, before: to, size: 200 } });
        expect(idsOf(range.records)).toEqual(whole.slice(701, 790));
        expect(range.meta.page.more).toBe(false);
        page = table.query({ page: { after: page.meta.page.cursor } });
      }
      expect(idsOf(table.query({ page: { start } }).records)).toEqual(
        sortByOracle(now, keys, "step 1").slice(0, 150),
      );
    },
  );
});

describe("texts that begin with the same high surrogate", () => {
  it("T-4: sort by code points", () => {
    const texts = ["\u{103ff}", "\u{103fe}", "\u{10000}", "\u{10001}x", "\u{10001}", "\u{103ff}a"];
    const table = openBranch().createTable("texts", [{ name: "text", type: "string" }]);
    table.insert(Array.from({ length: 600 }, (_, i) => ({ text: texts[i % texts.length] })));
    const sorted = Array.from(table.scan({ sort: { text: "asc" } }), ({ text }) => String(text));
    const numbers = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0)!);
    const inOrder = texts.toSorted((a, b) => {
      const [first = 0, second = 0] = numbers(a);
      const [other = 0, next = 0] = numbers(b);
      return first - other || second - next;
    });
    expect([...new Set(sorted)]).toEqual(inOrder);
    expect(sorted.filter((text, i) => i > 0 && text !== sorted[i - 1])).toHaveLength(5);
  });
});
