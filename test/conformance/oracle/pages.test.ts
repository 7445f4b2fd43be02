import { describe, expect, it } from "vitest";
import {
  evaluateQuery,
  type OraclePage,
  type OraclePageRequest,
  type OracleRequest,
} from "../../../src/conformance/oracle/evaluate.js";
import type { OracleDatabase } from "../../../src/conformance/oracle/model.js";
import { database, idsOf, stored } from "./fixture.js";

function users(ids: string): OracleDatabase {
  return database([...ids].map((id) => stored(id, { name: id })));
}

const db = users("gbdafce");

function page(
  keys: OraclePageRequest,
  request: OracleRequest = {},
  from: OracleDatabase = db,
): OraclePage {
  return evaluateQuery(from, "users", { ...request, page: keys });
}

/** The ids of a page and, where there is more, a plus. */
function shown(answer: OraclePage): string {
  return idsOf(answer.records) + (answer.more ? " +" : "");
}

describe("the oracle's pages", () => {
  const first = page({ size: 2 });
  const middle = page({ size: 2, offset: 2 });
  const last = page({ size: 2, before: "end" });
  const behindAll = page({ after: "end" });

  it("G-1: the size is 20 unless given, the offset 0", () => {
    const many = database(Array.from({ length: 21 }, (_, i) => stored(`r${i + 100}`)));
    const answer = evaluateQuery(many, "users", {});
    expect([answer.records.length, answer.more, answer.size]).toEqual([20, true, 20]);
  });

  it.each([
    ["forward", first, "a b +"],
    ["from an offset", middle, "c d +"],
    ["to the end", page({ size: 2, offset: 5 }), "f g"],
    ["backward from the end", last, "f g +"],
    ["backward with an offset", page({ size: 2, before: "end", offset: 4 }), "b c +"],
    ["backward to the beginning", page({ size: 2, before: "end", offset: 6 }), "a"],
  ])("G-2: %s", (_, answer, ids) => {
    expect(shown(answer)).toBe(ids);
  });

  it("G-3: the effective size and a token come with every page", () => {
    const empty = page({ size: 3 }, { filter: { name: "none" } });
    expect(empty).toMatchObject({ records: [], more: false, size: 3, token: { size: 3 } });
  });

  it("G-4: a token holds the query", () => {
    const request = {
      filter: { name: { $isNot: "c" } },
      sort: { name: "desc" },
      columns: ["name"],
    };
    const start = page({ size: 2 }, request as OracleRequest);
    const next = page({ after: start.token });
    expect(next.records.map((record) => record.name)).toEqual(["e", "d"]);
    expect(next.size).toBe(2);
  });

  it.each([
    ["after", { after: first.token }, "c d +"],
    ["after with an offset", { after: first.token, offset: 3 }, "f g"],
    ["before", { before: middle.token }, "a b"],
    ["before with an offset", { before: last.token, offset: 1 }, "c d +"],
  ])("G-5: %s", (_, keys, ids) => {
    expect(shown(page(keys))).toBe(ids);
  });

  it("G-6: start and end begin again from a token's query", () => {
    expect(shown(page({ start: last.token }))).toBe("a b +");
    expect(shown(page({ end: first.token }))).toBe("f g +");
    expect(shown(page({ start: middle.token, offset: 1 }))).toBe("b c +");
  });

  it("G-7: given size and columns replace those of the token", () => {
    const answer = page({ after: first.token, size: 3 }, { columns: ["name"] });
    expect(shown(answer)).toBe("c d e +");
    expect(Object.keys(answer.records[0] ?? {})).toEqual(["id", "name", "service"]);
    expect(page({ after: answer.token }).records[0]).toMatchObject({ name: "f" });
  });

  it("G-7: `end` takes a filter and a sort of its own", () => {
    const request = { filter: { name: { $isNot: "g" } }, sort: { name: "desc" } } as OracleRequest;
    expect(shown(page({ before: "end", size: 2 }, request))).toBe("b a +");
  });

  it.each([
    ["the records between", { after: first.token, before: last.token }, "c d +"],
    ["its own size", { after: first.token, before: last.token, size: 9 }, "c d e"],
    ["an offset from a's last", { after: first.token, before: last.token, offset: 2 }, "e"],
    ["nothing between", { after: first.token, before: middle.token }, ""],
  ])("G-9: %s", (_, keys, ids) => {
    expect(shown(page(keys))).toBe(ids);
  });

  it("G-9: a's last must come before b's first", () => {
    expect(() => page({ after: middle.token, before: first.token })).toThrow(RangeError);
    expect(() => page({ after: first.token, before: first.token })).toThrow(RangeError);
  });

  it("G-10: after the end are the records that have come since", () => {
    expect(shown(behindAll)).toBe("");
    expect(shown(page({ after: behindAll.token }, {}, users("gbdafcehi")))).toBe("h i");
    expect(shown(page({ after: behindAll.token }, {}, users("abf")))).toBe("");
  });

  it("G-10: a range to the end", () => {
    expect(shown(page({ after: first.token, before: "end", size: 4 }))).toBe("c d e f +");
  });

  it.each<[string, OraclePageRequest, string, string]>([
    ["after the last", { after: last.token }, "h", "f g"],
    ["in a range", { after: first.token, before: middle.token }, "c d", "a b"],
    ["before the first", { before: first.token }, "a b", ""],
    ["after the end", { after: "end" }, "h", "f g"],
    ["an offset beyond", { offset: 20 }, "h", "f g"],
    ["a backward offset beyond", { before: last.token, offset: 20 }, "a b", ""],
  ])("G-11: the gap of an empty page: %s", (_, keys, following, preceding) => {
    const empty = page({ size: 2, ...keys });
    expect(empty.records).toEqual([]);
    const later = users("abcdefgh");
    expect(idsOf(page({ after: empty.token, size: 2 }, {}, later).records)).toBe(following);
    expect(idsOf(page({ before: empty.token, size: 2 }, {}, later).records)).toBe(preceding);
  });

  it("G-11: without a match the gap is the beginning", () => {
    const none = page({ after: "end" }, {}, users(""));
    expect(shown(page({ after: none.token }))).toBe("a b c d e f g");
    expect(shown(page({ before: none.token }))).toBe("");
  });

  it("G-11: a gap counts by its place in a range", () => {
    const gap = page({ after: first.token, before: middle.token });
    expect(shown(page({ after: first.token, before: gap.token }))).toBe("");
    expect(shown(page({ after: gap.token, before: last.token }))).toBe("c d +");
    expect(() => page({ after: gap.token, before: first.token })).toThrow(RangeError);
  });

  it("G-12: positions are compared by keys when their records are gone or changed", () => {
    expect(shown(page({ after: first.token }, {}, users("acdg")))).toBe("c d +");
    const byName = page({ size: 3 }, { sort: ["name"] });
    const changed = database([
      stored("a", { name: "z" }),
      stored("x", { name: "bb" }),
      stored("d"),
    ]);
    expect(shown(page({ after: byName.token }, {}, changed))).toBe("a d");
  });
});
