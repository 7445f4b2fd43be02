import { describe, expect, it } from "vitest";
import { expectFilterRefused, matching, openTable, refusalOf } from "./fixture.js";

describe("filters with values that JSON cannot say", () => {
  const table = openTable({ n: "int", s: "string", tags: "multiple", doc: "json" });
  table.insert({ id: "a", n: 1 });

  it("F-1, F-2: Dates and functions are no filters", () => {
    for (const filter of [new Date(0), () => ({})]) {
      expectFilterRefused(table, filter, "F-1");
    }
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      expectFilterRefused(table, { [operator]: new Date(0) }, "F-2", `/${operator}`);
    }
  });

  it("F-2: a key of undefined is absent", () => {
    expect(matching(table, { n: undefined })).toEqual(["a"]);
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      const filter = { [operator]: { n: undefined } };
      expectFilterRefused(table, filter, "F-2", `/${operator}`);
    }
  });

  it("F-2, F-4: refuses holes in arrays, and undefined", () => {
    const holed: unknown[] = [{ n: 1 }];
    holed[2] = { n: 1 };
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      for (const members of [holed, [{ n: 1 }, undefined]]) {
        expectFilterRefused(table, { [operator]: members }, "F-1", `/${operator}/1`);
      }
    }
    const paths = ["n"];
    paths[2] = "s";
    expectFilterRefused(table, { $exists: paths }, "F-4", "/$exists/1");
  });

  it("F-10: a regular expression is no text", () => {
    for (const operator of ["$contains", "$pattern"]) {
      expectFilterRefused(table, { s: { [operator]: /a/ } }, "F-10", `/s/${operator}`);
    }
  });

  it("F-12, F-16: literals of paths into json are JSON", () => {
    for (const [condition, rule, below] of [
      [{ $is: 1n }, "F-16", "/$is"],
      [{ $is: Number.NaN }, "F-16", "/$is"],
      [{ $gt: Number.POSITIVE_INFINITY }, "F-12", "/$gt"],
      [{ $gt: Number.NaN }, "F-12", "/$gt"],
    ] as const) {
      expectFilterRefused(table, { "doc->a": condition }, rule, `/doc->a${below}`);
    }
  });

  it("F-16: columns refuse bigints, symbols, functions, NaN and invalid Dates", () => {
    const types = ["bool", "int", "float", "string", "text", "datetime"] as const;
    const columns = Object.fromEntries(types.map((type) => [type, type]));
    const all = openTable({ ...columns, object: { sub: "int" } });
    const literals: Readonly<Record<string, readonly unknown[]>> = {
      bool: [1n],
      int: [Number.NaN, 1n],
      float: [Number.POSITIVE_INFINITY],
      string: [Symbol("s")],
      text: [() => "x"],
      datetime: [new Date(Number.NaN)],
      "object.sub": [1n],
    };
    for (const [path, values] of Object.entries(literals)) {
      for (const literal of values) {
        for (const [condition, below] of [
          [literal, ""],
          [{ $is: literal }, "/$is"],
          [{ $isNot: literal }, "/$isNot"],
          [{ $any: [literal] }, "/$any/0"],
          [[literal], "/0"],
        ] as const) {
          const { code, path: place } = refusalOf(() => all.count({ [path]: condition }));
          expect({ code, place }).toEqual({ code: "invalid_filter", place: `/${path}${below}` });
        }
      }
    }
  });
});
